"""Errors in views and painters, which must not affect others."""

from __future__ import annotations

import re
import threading
import time

import pytest
from deadline import DEADLINE_S, until

from mujoco_ros_py.errors import RenderingError
from mujoco_ros_py.simulation import OwnedCallback, Owner, Simulation
from mujoco_ros_py.simulation.rendering import RenderLoop, RenderOptions, Stream

from .screens import Screen, ball


def broken(*args: object) -> None:
    raise RuntimeError('the screen is broken')


class Gate:
    """A painter that blocks until it is opened."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()
        self.painter = Owner.of_no_plugin('the test').callback('the gate', self._paint)

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
    (record,) = [each for each in caplog.records if 'will not be called again' in each.message]
    assert record.message.startswith('deliver of camera 0')
    assert 'the screen is broken' in record.exc_text


def test_a_view_that_cannot_say_what_it_wants_is_taken_out_and_others_go_on(stage, caplog):
    bad, good = Screen(0), Screen(1, rate_hz=50.0)
    bad.view.wanted = broken
    stage(ball(), bad, good)
    until(lambda: len(good.times) > 10)
    assert bad.times == []
    assert sum('wanted of camera 0' in each.message for each in caplog.records) == 1


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
    assert 'will not be called again' not in caplog.text


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


def test_a_painter_that_blocks_holds_up_a_load_for_a_second_and_only_once(stage, gate):
    screens = [Screen(0, rate_hz=50.0) for _ in range(6)]
    played = stage(ball(), *screens)
    played.rendering.paint_with([gate.painter])
    assert gate.reached.wait(DEADLINE_S)
    begin = time.monotonic()
    played.rendering.paint_with(())
    waited = time.monotonic()
    for screen in screens:
        played.rendering.close_view(screen.view)
    assert waited - begin > 0.9
    assert time.monotonic() - waited < 3 * (waited - begin), 'nothing waits for it again'


def test_all_others_are_drawn_on_another_thread_while_a_painter_or_a_view_blocks(stage, gate):
    """And it is called again once it has returned."""
    blocking = Screen(0, rate_hz=50.0, then=lambda frame: gate.painter())
    good, late = Screen(1, rate_hz=50.0), Screen(0, rate_hz=50.0)
    model = ball()
    played = stage(model, blocking, good)
    assert gate.reached.wait(DEADLINE_S)
    assert 'the gate' in played.rendering.doing()
    played.rendering.leave_behind()
    seen = len(good.times)
    until(lambda: len(good.times) > seen + 5)
    played.rendering.open(model, late.view)
    until(lambda: len(late.times) > 5)
    assert len(blocking.times) == 1
    gate.open.set()
    until(lambda: len(blocking.times) > 5)


def test_a_view_opens_from_the_physics_thread_while_a_painter_blocks(stage, gate):
    """As at a reload: the new thread does not wait for the physics, which waits for it."""
    screen, late, model = Screen(0, rate_hz=50.0), Screen(1, rate_hz=50.0), ball()
    played = stage(model, screen)
    played.rendering.paint_with([gate.painter])
    assert gate.reached.wait(DEADLINE_S)
    opened = played.simulation.between_steps(lambda: played.rendering.open(model, late.view))
    until(opened.running)
    played.rendering.leave_behind()
    opened.result(DEADLINE_S / 2)
    until(lambda: len(late.times) > 5)


def test_closing_answers_in_time_while_a_painter_blocks(stage, gate, caplog):
    played = stage(ball(), Screen(rate_hz=50.0))
    played.rendering.paint_with([gate.painter])
    assert gate.reached.wait(DEADLINE_S)
    begin = time.monotonic()
    assert not played.rendering.close(0.2)
    assert time.monotonic() - begin < DEADLINE_S / 4
    assert 'did not end: the gate of the test' in caplog.text


def test_a_painter_that_is_replaced_is_not_called_any_more(stage):
    calls = []
    owner = Owner.of_no_plugin('the test')
    painters = [OwnedCallback(owner, name, lambda *_, n=name: calls.append(n)) for name in 'abc']
    screen = Screen(rate_hz=100.0)
    played = stage(ball(), screen)
    played.rendering.paint_with(painters[:2])
    until(lambda: len(calls) >= 20)
    played.rendering.paint_with(painters[2:])
    before = len(calls)
    until(lambda: len(calls) >= before + 5)
    assert set(calls[before:]) == {'c'}
    assert re.fullmatch('(ab)+a?c+', ''.join(calls)), 'in order'


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

    monkeypatch.setattr('mujoco_ros_py.simulation.rendering.loop.open_context', none)
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
