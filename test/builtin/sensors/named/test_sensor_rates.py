"""Each sensor is published at its own rate in simulated time, at any pace."""

from __future__ import annotations

import math

import pytest
from builtin.sensors.named.sensed_robot import ROBOT, TIMESTEP, sensors
from builtin.sensors.sensing import stamp_of
from mujoco_ros_msgs.msg import ScalarStamped
from system.harness import wait_until

pytestmark = pytest.mark.slow

RATES = {'angle': 1000.0, 'cut': 250.0, 'clock': 100.0, 'ray': 30.0, 'distance': 7.0}
"""Rates in Hz; the last two are no divisors of the number of steps per second."""
CHOSEN = sensors(sensors=list(RATES), update_rate=100.0, update_rates={
    name: rate for name, rate in RATES.items() if name != 'clock'
})  # fmt: skip


def due(rate_hz: float, end_s: float) -> list[float]:
    """Returns the times of the first steps at which messages are due, up to an end."""
    count = math.floor((end_s + TIMESTEP / 2) * rate_hz) + 1
    steps = [math.ceil(k / rate_hz / TIMESTEP - 0.01) for k in range(count)]
    return [round(step * TIMESTEP, 9) for step in steps]


@pytest.fixture
def sensing(sense):
    return sense(ROBOT, CHOSEN)


def check_beat(times: list[float], rate_hz: float, end_s: float, pauses: set[float]) -> None:
    """Checks that messages arrive when due; a pause may repeat them."""
    wanted = due(rate_hz, end_s)
    assert times == sorted(set(times)), f'{rate_hz} Hz'
    assert set(wanted) <= set(times), f'{rate_hz} Hz'
    assert set(times) <= set(wanted) | pauses, f'{rate_hz} Hz'


def hear_all(sensing):
    return {name: sensing.hear(ScalarStamped, f'/s/{name}', rate) for name, rate in RATES.items()}


def test_each_sensor_has_its_own_rate_exactly_and_resets_and_reloads_begin_anew(sensing):
    heard = hear_all(sensing)
    sensing.step(300)
    for name, topic in heard.items():
        check_beat(topic.times, RATES[name], 0.3, sensing.pauses)
    for begin_again in ('reset', 'reload'):
        assert sensing.client.trigger(begin_again).success
        start = 'messages of the start'
        wait_until(lambda: all(t.times[-1] == 0.0 for t in heard.values()), start)
        before = {name: len(topic.times) - 1 for name, topic in heard.items()}
        sensing.step(48)
        for name, topic in heard.items():
            check_beat(topic.times[before[name] :], RATES[name], 0.048, sensing.pauses)


@pytest.mark.parametrize('realtime', [0.3, 4.0])
def test_in_whatever_pace_no_message_is_off_the_beat_unless_it_was_late(sense, realtime):
    sensing = sense(ROBOT, CHOSEN, realtime=realtime)
    heard = hear_all(sensing)
    assert sensing.client.pause(False).success
    wait_until(lambda: heard['ray'].times[-1] > 0.5, 'half a second')
    assert sensing.client.pause(True).success
    end = round(sensing.simulation.time, 9)  # a pause repeats this message
    for name, topic in heard.items():
        times = topic.times
        assert times == sorted(set(times))
        if RATES[name] * realtime <= 1000.0:
            beats = due(RATES[name], end)
            missed = set(beats) - set(times)
            late = set(times) - {end} - set(beats)
            assert {max(beat for beat in beats if beat <= time) for time in late} <= missed, name


def test_at_any_pace_the_value_belongs_to_the_stamp(sense):
    sensing = sense(ROBOT, CHOSEN, realtime=-1.0)
    clock = sensing.hear(ScalarStamped, '/s/clock')
    assert sensing.client.pause(False).success
    wait_until(lambda: len(clock.times) > 50, 'messages')
    assert sensing.client.pause(True).success
    assert clock.times == sorted(set(clock.times))
    for message in tuple(clock.messages):
        assert message.value == pytest.approx(stamp_of(message), abs=1e-9)
