"""Those who watch and those who paint go wrong: nobody else may notice."""

from __future__ import annotations

import re
import threading
import time

import pytest

from mujoco_ros_py.errors import RenderingError
from mujoco_ros_py.rendering import Painter, RenderLoop, RenderOptions, Stream
from mujoco_ros_py.simulation import Simulation

from .screens import DEADLINE_S, Screen, ball, until


def broken(*args: object) -> None:
    raise RuntimeError('the screen is broken')


class Gate:
    """A painter that blocks until it is opened."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()
        self.painter = Painter(name='the gate of the test', paint=self._paint)

    def _paint(self, *args: object) -> None:
        self.reached.set()
        self.open.wait(DEADLINE_S)


@pytest.fixture
def gate():
    gate = Gate()
    yield gate
    gate.open.set()


def test_a_view_whose_delivery_raises_is_taken_out_and_others_go_on(stage, caplog):
    bad, good = Screen(0, rate_hz=50.0, then=broken), Screen(1, rate_hz=50.0)
    stage(ball(), bad, good)
    until(lambda: bad.times and len(good.times) > 10)
    assert len(bad.times) == 1
    (record,) = [each for each in caplog.records if 'taken out' in each.message]
    assert record.message.startswith('camera 0 is taken out')
    assert 'the screen is broken' in record.exc_text


def test_a_view_that_cannot_say_what_it_wants_is_taken_out_and_others_go_on(stage, caplog):
    bad, good = Screen(0), Screen(1, rate_hz=50.0)
    bad.view.wanted = broken
    stage(ball(), bad, good)
    until(lambda: len(good.times) > 10)
    assert bad.times == []
    assert sum('camera 0 is taken out' in each.message for each in caplog.records) == 1


def test_a_view_that_is_closed_while_it_is_asked_is_no_fault(stage, caplog):
    """Its publishers may be gone by then."""
    closing, good = Screen(0), Screen(1, rate_hz=50.0)

    def close_and_raise() -> None:
        played.rendering.close_view(closing.view)
        raise RuntimeError('it is gone')

    played = stage(ball(), closing, good)
    closing.view.wanted = close_and_raise
    seen = len(good.times)
    until(lambda: len(good.times) > seen + 5)
    assert 'taken out' not in caplog.text


def test_a_painter_that_blocks_does_not_stop_the_simulation(stage, gate):
    screen = Screen(rate_hz=50.0)
    played = stage(ball(), screen)
    played.rendering.paint_with([gate.painter])
    assert gate.reached.wait(DEADLINE_S)
    delivered, now = len(screen.times), played.simulation.time
    played.run_until(now + 0.5)
    played.simulation.reset().result(DEADLINE_S)
    assert len(screen.times) == delivered
    gate.open.set()
    until(lambda: len(screen.times) > delivered + 5)


def test_a_painter_that_blocks_holds_up_a_load_for_a_second_and_only_once(stage, gate, caplog):
    screens = Screen(0, rate_hz=50.0), Screen(1, rate_hz=50.0)
    played = stage(ball(), *screens)
    begin = time.monotonic()
    played.rendering.paint_with([gate.painter])  # waits for a turn, which may be the painter's
    assert gate.reached.wait(DEADLINE_S)
    played.rendering.paint_with(())
    for screen in screens:
        played.rendering.close_view(screen.view)
    assert 0.9 < time.monotonic() - begin < 1.9
    (record,) = [each for each in caplog.records if 'still' in each.message]
    assert 'in the gate of the test' in record.message


def test_a_view_is_refused_at_once_while_a_painter_blocks_for_long_and_opens_later(stage, gate):
    model, screen, late = ball(), Screen(0, rate_hz=50.0), Screen(1)
    played = stage(model, screen)
    played.rendering.paint_with([gate.painter])
    assert gate.reached.wait(DEADLINE_S)
    played.rendering.paint_with(())
    begin = time.monotonic()
    with pytest.raises(RenderingError, match='is busy: in the gate of the test'):
        played.rendering.open(model, late.view)
    assert time.monotonic() - begin < 0.9
    gate.open.set()
    until(lambda: len(screen.times) > 3)
    assert late.times == [], 'it was refused'
    played.rendering.open(model, late.view)
    until(lambda: late.times)


def test_closing_answers_in_time_while_a_painter_blocks(stage, gate, caplog):
    played = stage(ball(), Screen(rate_hz=50.0))
    played.rendering.paint_with([gate.painter])
    assert gate.reached.wait(DEADLINE_S)
    begin = time.monotonic()
    assert not played.rendering.close(0.2)
    assert time.monotonic() - begin < 1.0
    assert 'did not end: it is in the gate of the test' in caplog.text


def test_a_painter_that_is_replaced_is_not_called_any_more(stage):
    calls = []
    painters = [Painter(name=name, paint=lambda *_, n=name: calls.append(n)) for name in 'abc']
    screen = Screen(rate_hz=100.0)
    played = stage(ball(), screen)
    played.rendering.paint_with(painters[:2])
    until(lambda: len(calls) >= 20)
    played.rendering.paint_with(painters[2:])
    before = len(calls)
    assert re.fullmatch('(ab)+', ''.join(calls)), 'in order, each image whole'
    until(lambda: len(calls) >= before + 5)
    assert set(calls[before:]) == {'c'}


@pytest.mark.parametrize('size', [(10**5, 8), (8, 10**5)])
def test_a_view_that_opengl_cannot_hold_is_refused_and_others_go_on(stage, size):
    screen, model = Screen(rate_hz=50.0), ball()
    played = stage(model, screen)
    with pytest.raises(RenderingError, match=f'got {size[0]} x {size[1]}'):
        played.rendering.open(model, Screen(size=size).view)
    seen = len(screen.times)
    until(lambda: len(screen.times) > seen + 5)


def test_without_opengl_each_start_says_why(monkeypatch):
    def none(backend: str) -> None:
        raise RenderingError(f'no OpenGL from {backend}')

    monkeypatch.setattr('mujoco_ros_py.rendering.loop.open_context', none)
    simulation = Simulation()
    simulation.start()
    rendering = RenderLoop(simulation, RenderOptions(backend='osmesa'))
    for attempt in (
        rendering.graphics,
        rendering.graphics,
        lambda: rendering.open(ball(), Screen().view),
    ):
        with pytest.raises(RenderingError, match='no OpenGL from osmesa'):
            attempt()
    assert rendering.close(DEADLINE_S)
    assert simulation.close(DEADLINE_S)


@pytest.mark.usefixtures('graphics')
def test_a_simulation_that_ended_before_does_not_keep_the_loop():
    simulation = Simulation()
    simulation.start()
    rendering = RenderLoop(simulation, RenderOptions())
    assert simulation.close(DEADLINE_S)
    assert rendering.graphics().name
    assert rendering.close(DEADLINE_S)


def test_a_simulation_that_ends_first_does_not_keep_the_loop(stage):
    played = stage(ball(), Screen(rate_hz=50.0, wants=Stream.MOMENT))
    assert played.simulation.close(DEADLINE_S)
    begin = time.monotonic()
    assert played.rendering.close(DEADLINE_S)
    assert time.monotonic() - begin < DEADLINE_S / 4
