"""Messages are sent on the beat of their rate, counted from the start of the epoch."""

from __future__ import annotations

import threading

import pytest
from deadline import DEADLINE_S
from numba import objmode

from mujoco_ros_py.engine import Point, python_callback

from .exchanged import Sent

TIMESTEP = 0.002


def fill(state, model, data, message):
    message.value = data.qpos[0]


def on_the_beat(times: list[float], period_s: float) -> bool:
    return all(abs(time / period_s - round(time / period_s)) < 1e-6 for time in times)


class Beat:
    """A paused simulation with an outlet of 100 Hz; its steps wait until messages are sent."""

    def __init__(self, simulate, recorder, pendulum, until, **options) -> None:
        self._until, self.gated = until, False
        plugins = recorder([python_callback(Point.LAST_STAGE, self._wait)])
        self.simulation = simulate(pendulum, plugins, paused=True, idle=False, **options)
        self.sent = self.add(Sent(fill, 100.0))
        self._pauses = {0.0}

    def add(self, sent: Sent) -> Sent:
        self.simulation.exchange.add_outlet(sent.outlet)
        return sent

    def step(self, count: int) -> None:
        self.simulation.step(count).result(DEADLINE_S)
        self._pauses.add(round(self.simulation.time, 9))
        self.wait_until_sent()

    def times(self) -> list[float]:
        """The stamps without those of the pauses, which are repeated there."""
        return [time for time in self.sent.times if time not in self._pauses]

    def wait_until_sent(self) -> None:
        if not self.gated:
            self._until(self._all_sent)

    def _all_sent(self) -> bool:
        ring = self.simulation.exchange.feed._ring
        return ring is None or ring._record.read == ring._record.written

    def _wait(self) -> None:
        if hasattr(self, 'sent'):
            self.wait_until_sent()


@pytest.fixture
def begin(simulate, recorder, pendulum, until):
    """`begin(**options)`: such a simulation."""
    return lambda **options: Beat(simulate, recorder, pendulum, until, **options)


def test_an_outlet_that_comes_or_goes_later_changes_the_beat_of_none(begin):
    beat = begin()
    beat.step(8)
    other = beat.add(Sent(fill, 250.0))
    beat.step(11)
    beat.simulation.exchange.remove_outlet(other.outlet)
    beat.step(14)
    assert beat.times() == [0.01, 0.02, 0.03, 0.04, 0.05, 0.06]


@pytest.mark.parametrize(
    'realtime', [12.0, *(pytest.param(each, marks=pytest.mark.slow) for each in (15.0, 20.0))]
)
def test_what_is_thinned_in_a_fast_simulation_is_on_the_beat_and_has_the_mean_rate(
    begin, realtime
):
    beat = begin(realtime=realtime)
    beat.step(301)
    times = [0.0, *beat.times()]
    assert on_the_beat(times, 0.01)
    assert len(times) == pytest.approx(0.602 / (realtime * 0.001), abs=1.0)


def test_what_an_unthrottled_simulation_sends_is_on_the_beat(begin):
    beat = begin(realtime=-1.0)
    while len(beat.times()) < 5:
        beat.step(7)
    assert on_the_beat(beat.times(), 0.01)


def test_after_a_time_without_a_pace_the_beat_is_that_of_before(begin):
    beat = begin()
    beat.step(3)
    beat.simulation.set_realtime(-1.0).result(DEADLINE_S)
    beat.step(4)
    beat.simulation.set_realtime(1.0).result(DEADLINE_S)
    before = len(beat.times())
    beat.step(18)
    assert beat.times()[before:][-2:] == [0.03, 0.04]
    assert 0.024 not in beat.times()


def test_after_a_reset_that_finds_no_room_messages_are_on_the_beat_of_the_reset(begin):
    going = threading.Event()

    def wait(state, model, data, message):
        with objmode():
            going.wait(DEADLINE_S)

    beat = begin()
    beat.step(1)
    beat.gated = True
    slow = beat.add(Sent(wait, 500.0, name='slow'))
    beat.step(40)
    beat.simulation.reset().result(DEADLINE_S)
    beat.step(3)
    going.set()
    beat.gated = False
    beat.wait_until_sent()
    beat.simulation.exchange.remove_outlet(slow.outlet)
    beat.step(1)
    beat.step(25)
    assert beat.times()[-5:] == [0.01, 0.02, 0.03, 0.04, 0.05]
