from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from mujoco_ros_py.errors import ConfigError, SimulationError
from mujoco_ros_py.ros.parameters import authorization
from mujoco_ros_py.ros.parameters.authorization import Authorization

VALID_S = 10.0
"""The time in s that docs/reference/services.md promises."""


@pytest.fixture
def clock(monkeypatch) -> SimpleNamespace:
    """The clock of the module; it stays at `now`."""
    clock = SimpleNamespace(now=1000.0)
    fake = SimpleNamespace(monotonic=lambda: clock.now)
    monkeypatch.setattr(authorization, 'time', fake)
    return clock


@pytest.fixture
def guard(clock) -> Authorization:
    return Authorization(eval_mode=True, admin_hash='c0ffee')


def test_noise_has_a_secret_that_is_not_the_hash_and_that_another_hash_does_not_give():
    secrets = [Authorization(True, each).noise_secret() for each in ('c0ffee', 'c0ffee', 'c0ffef')]
    assert secrets[0] == secrets[1] != secrets[2]
    assert (len(secrets[0]), b'c0ffee' in secrets[0]) == (32, False)
    assert Authorization(False, 'c0ffee').noise_secret() == b''


def is_refused(guard: Authorization) -> bool:
    try:
        guard.require('this')
    except SimulationError:
        return True
    return False


def refused(guard: Authorization, service: str | None = None) -> str:
    with pytest.raises(SimulationError) as caught:
        guard.require('this', service)
    return str(caught.value)


def permit(guard: Authorization, service: str = '') -> None:
    guard.admit(f'c0ffee {service}'.strip(), parameters='')


def test_without_a_permission_the_refusal_says_what_to_set_and_for_how_long(guard):
    assert refused(guard, 'reset') == (
        'this needs the admin hash in eval_mode: '
        "set the parameter admin_hash to it (or to '<hash> reset') within 10 s before the call"
    )


def test_parameters_without_the_hash_are_refused_with_what_to_do(guard):
    with pytest.raises(SimulationError) as caught:
        guard.admit(None, 'realtime')
    assert str(caught.value) == (
        'setting realtime needs the admin hash in eval_mode: '
        'set the parameter admin_hash to it in the same atomic request'
    )


def test_a_permission_holds_until_its_time_is_over(guard, clock):
    permit(guard)
    clock.now += VALID_S - 0.01
    assert not is_refused(guard)


def test_a_permission_expires(guard, clock):
    permit(guard)
    clock.now += VALID_S
    refused(guard)


def test_a_permission_counts_from_the_newest_hash(guard, clock):
    permit(guard)
    clock.now += VALID_S - 1
    permit(guard)
    clock.now += VALID_S - 1
    assert not is_refused(guard)


def test_a_permission_is_for_one_request(guard):
    permit(guard)
    guard.require('this')
    refused(guard)


@pytest.mark.parametrize('first', ['reset', None])
def test_a_permission_is_for_the_next_request_whatever_it_is(guard, first):
    permit(guard)
    guard.require('this', first)
    refused(guard, 'reload')


def test_a_permission_for_a_service_waits_for_it(guard):
    permit(guard, 'reset')
    refused(guard, 'reload')
    refused(guard)
    with pytest.raises(SimulationError):
        guard.admit(None, 'realtime')
    guard.require('this', 'reset')
    refused(guard, 'reset')


def test_a_permission_for_a_service_expires_too(guard, clock):
    permit(guard, 'reset')
    clock.now += VALID_S
    refused(guard, 'reset')


def test_the_newest_permission_counts(guard):
    permit(guard, 'reset')
    permit(guard, 'step')
    refused(guard, 'reset')
    guard.require('this', 'step')


def test_hash_and_parameters_in_one_request_use_up_the_permission_that_was_there(guard):
    permit(guard)
    guard.admit('c0ffee', 'realtime')
    refused(guard)


def test_hash_and_parameters_in_one_request_leave_no_permission(guard):
    guard.admit('c0ffee', 'realtime')
    refused(guard)


def test_a_hash_for_a_service_permits_no_parameters(guard):
    with pytest.raises(ConfigError, match='to set realtime, admin_hash must be the hash alone'):
        guard.admit('c0ffee reset', 'realtime')
    refused(guard, 'reset')


def test_a_hash_for_a_service_that_is_none_is_refused_with_those_that_are(guard):
    with pytest.raises(ConfigError, match="unknown service 'rest'; known: set_pause, step, reset"):
        guard.admit('c0ffee rest', '')


def test_a_hash_may_have_spaces(clock):
    guard = Authorization(eval_mode=True, admin_hash='open the door')
    guard.admit('open the door', '')
    guard.require('this')
    guard.admit('open the door reset', '')
    refused(guard)
    guard.require('this', 'reset')


def test_of_many_that_ask_at_once_one_is_permitted(guard):
    permit(guard)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: is_refused(guard), range(64)))
    assert answers.count(False) == 1


def test_without_eval_mode_everything_is_permitted(clock):
    guard = Authorization(eval_mode=False, admin_hash='')
    guard.admit(None, 'realtime')
    assert [is_refused(guard) for _ in range(2)] == [False, False], 'nothing is used up'


@pytest.mark.parametrize(
    'wrong',
    ['', ' ', 'c0ffe', 'c0ffee ', ' c0ffee', 'C0FFEE', 'c0ffée', '\udcff', 'reset', ' reset'],
)
def test_only_the_hash_itself_matches(guard, wrong):
    with pytest.raises(ConfigError):
        guard.admit(wrong, '')
    refused(guard)
