from __future__ import annotations

from types import SimpleNamespace

import pytest

from mujoco_ros_py.errors import SimulationError
from mujoco_ros_py.ros import authorization
from mujoco_ros_py.ros.authorization import Authorization

VALID_S = 10.0
"""As docs/services.md says."""


@pytest.fixture
def clock(monkeypatch) -> SimpleNamespace:
    """The time of the module, which stands at `now`."""
    clock = SimpleNamespace(now=1000.0)
    fake = SimpleNamespace(monotonic=lambda: clock.now)
    monkeypatch.setattr(authorization, 'time', fake)
    return clock


@pytest.fixture
def guard(clock) -> Authorization:
    return Authorization(eval_mode=True, admin_hash='c0ffee')


def refused(guard: Authorization) -> str:
    assert not guard.permitted
    with pytest.raises(SimulationError) as caught:
        guard.require('~/reset')
    return str(caught.value)


def test_without_a_permission_the_refusal_says_what_to_set_and_for_how_long(guard):
    assert refused(guard) == (
        '~/reset needs the admin hash in eval_mode: '
        'set the parameter admin_hash to it within 10 s before the call'
    )


def test_a_permission_holds_until_its_time_is_over(guard, clock):
    guard.permit()
    clock.now += VALID_S - 0.01
    assert guard.permitted
    guard.require('~/reset')


def test_a_permission_expires(guard, clock):
    guard.permit()
    clock.now += VALID_S
    assert refused(guard)


def test_a_permission_counts_from_the_newest_hash(guard, clock):
    guard.permit()
    clock.now += VALID_S - 1
    guard.permit()
    clock.now += VALID_S - 1
    guard.require('~/reset')


def test_a_permission_is_for_one_call(guard):
    guard.permit()
    guard.require('~/reset')
    assert refused(guard)


def test_asking_whether_it_is_permitted_uses_nothing_up(guard):
    guard.permit()
    assert guard.permitted
    assert guard.permitted
    guard.require('~/reset')


def test_without_eval_mode_everything_is_permitted(clock):
    guard = Authorization(eval_mode=False, admin_hash='')
    for _ in range(2):
        assert guard.permitted
        guard.require('~/reset')


@pytest.mark.parametrize('wrong', ['', 'c0ffe', 'c0ffee ', 'C0FFEE', 'c0ffée'])
def test_only_the_hash_itself_matches(guard, wrong):
    assert guard.matches('c0ffee')
    assert not guard.matches(wrong)
