from __future__ import annotations

import time
from contextlib import closing
from itertools import pairwise

import pytest
from rosgraph_msgs.msg import Clock

from .harness import PENDULUM, Client, seconds, wait_until
from .plugin_site import PluginSite


def times(messages) -> list[float]:
    return [seconds(message.clock) for message in messages]


@pytest.fixture
def client(share):
    """A client of a paused server with a pendulum."""
    return share({'mujoco_xml': PENDULUM, 'unpause': False})[1]


def test_a_node_with_use_sim_time_follows_the_simulation(client):
    assert client.pause(False).success
    clock = client.new_node('follower', use_sim_time=True).get_clock()

    early = wait_until(lambda: clock.now().nanoseconds, 'time at all')
    assert early < 60e9, 'not the wall time'
    wait_until(lambda: clock.now().nanoseconds > early, 'moving time')

    assert client.pause(True).success
    assert client.trigger('reset').success
    wait_until(lambda: clock.now().nanoseconds == 0, 'the time of the reset')


@pytest.mark.slow
def test_a_node_that_comes_while_paused_gets_the_time(client):
    for _ in range(10):
        assert client.trigger('step').success

    clock = client.new_node('late', use_sim_time=True).get_clock()

    wait_until(lambda: clock.now().nanoseconds == 20_000_000, 'the paused time')


def test_time_begins_at_0(start, tmp_path, domain):
    site = PluginSite(tmp_path)
    found = site.wait_for_listener('/clock')
    with closing(Client(domain)) as listener:
        messages = listener.collect(Clock, '/clock', reliable=False, found=found)
        start({'mujoco_xml': PENDULUM}, fresh=True, **site.environment)
        wait_until(lambda: len(messages) > 3, 'some times')

    assert times(messages)[0] == 0


def test_time_goes_back_only_to_0_and_only_by_a_reset_or_a_reload(client):
    assert client.pause(False).success
    messages = client.collect(Clock, '/clock', reliable=False)

    def falls() -> list[float]:
        return [later for earlier, later in pairwise(times(messages)) if later < earlier]

    for number, call in enumerate(('reset', 'reload', 'reset')):
        wait_until(lambda: times(messages)[-1:] > [0.2], 'moving time')
        assert client.pause(True).success  # the 0 comes again and again
        assert client.trigger(call).success
        wait_until(lambda n=number: len(falls()) > n, 'time from the start')
        assert client.pause(False).success
    wait_until(lambda: times(messages)[-1:] > [0.2], 'moving time')
    assert falls() == [0, 0, 0]


def repeat_s(messages) -> float:
    """Returns the wall time from one message to the next while nothing is done in a pause."""
    seen = len(messages)
    wait_until(lambda: len(messages) > seen, 'a time that is repeated')
    begin = time.monotonic()
    wait_until(lambda: len(messages) > seen + 1, 'the next one')
    return time.monotonic() - begin


@pytest.mark.slow
def test_paused_time_is_never_behind_by_more_than_a_step(start):
    """At this rate, what comes regularly comes 4 s after the one before."""
    _, client = start({'mujoco_xml': PENDULUM, 'unpause': False, 'clock_rate': 0.25})
    messages = client.collect(Clock, '/clock', reliable=False)
    wait_until(lambda: messages, 'the time at the start')

    repeated_s, waits_s = max(repeat_s(messages) for _ in range(3)), []
    for step in range(1, 31):
        assert client.trigger('step').success
        answered, begin = len(messages), time.monotonic()
        wait_until(
            lambda now=0.002 * step: abs(times(messages)[-1] - now) < 1e-9,
            f'the time of step {step}',
        )
        assert min(times(messages[answered:]), default=1.0) > 0.002 * (step - 1) - 1e-9
        waits_s.append(time.monotonic() - begin)
    prompt = sum(wait_s < 0.5 * repeated_s for wait_s in waits_s)
    assert prompt > 2, 'a busy machine may lose some: /clock is sent at best effort'


@pytest.mark.slow
def test_the_rate_of_the_clock_is_limited(start):
    fast = {'mujoco_xml': PENDULUM, 'realtime': -1.0, 'clock_rate': 40.0}
    _, client = start(fast)
    messages = client.collect(Clock, '/clock', reliable=False)
    wait_until(lambda: messages, 'the first time')

    begin, seen = client.node.get_clock().now(), len(messages)
    wait_until(lambda: len(messages) >= seen + 40, 'forty times')
    elapsed_s = (client.node.get_clock().now() - begin).nanoseconds * 1e-9

    assert elapsed_s > 0.5, 'of a second: some may have waited for this process'
