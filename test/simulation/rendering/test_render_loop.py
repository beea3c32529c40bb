from __future__ import annotations

import threading
from itertools import pairwise

import pytest
from deadline import DEADLINE_S, until

from mujoco_ros_py.simulation import Simulation
from mujoco_ros_py.simulation.rendering import RenderLoop, RenderOptions, Stream, loop
from mujoco_ros_py.simulation.rendering.backend import GraphicsContext

from .screens import Screen, Stage, ball

NOTHING = Stream(0)


def test_the_first_image_after_a_load_is_that_of_time_zero(stage):
    screen = Screen()
    stage(ball(), screen, paused=True)
    until(lambda: screen.times)
    assert screen.times == [0.0]


def stand_between_images(played: Stage, screen: Screen) -> None:
    """Pauses, and waits until the loop has drawn all due images and wants the next snapshot."""
    until(lambda: len(screen.times) > 1)
    played.simulation.set_paused(True).result(DEADLINE_S)
    asked = screen.asked
    until(lambda: screen.asked > asked + 1)


def test_the_first_image_after_a_reset_is_that_of_time_zero(stage):
    screen = Screen(rate_hz=4.0)
    played = stage(ball(), screen)
    stand_between_images(played, screen)
    before = len(screen.times)
    played.simulation.reset()
    played.simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: any(screen.times[before:]))
    assert screen.times[before] == 0.0
    later = next(time for time in screen.times[before:] if time > 0)
    assert later >= 0.25 - 1e-6


def test_the_first_image_after_another_load_is_that_of_time_zero(stage):
    screen = Screen(rate_hz=4.0)
    played = stage(ball(), screen)
    stand_between_images(played, screen)
    before, new = len(screen.times), Screen()
    played.show(ball(), new)
    until(lambda: new.times)
    assert new.times == [0.0]
    assert len(screen.times) == before


@pytest.mark.parametrize(('rate_hz', 'realtime'), [(60.0, 0.5), (33.0, -1.0)])
def test_all_images_are_on_the_beat_of_their_rate(stage, rate_hz, realtime):
    screen = Screen(rate_hz=rate_hz, wants=Stream.MOMENT)
    stage(ball(), screen, realtime=realtime)
    until(lambda: len(screen.times) > 20)
    assert all((time + 1e-6) % (1 / rate_hz) < 0.002 for time in screen.times)
    assert len(set(screen.times)) == len(screen.times)


@pytest.mark.parametrize(('realtime', 'slow'), [(1.0, True), (-1.0, False)])
def test_two_views_of_one_rate_show_the_same_moments_whenever_they_were_wanted(
    stage, realtime, slow
):
    """Also if an image takes longer than a period."""
    second = Screen(1, rate_hz=50.0, wants=NOTHING)
    gate = threading.Event()
    first = Screen(0, rate_hz=50.0, then=lambda frame: slow and gate.wait(0.05))
    played = stage(ball(), first, second, realtime=realtime)
    until(lambda: len(first.times) > 2)
    begin = played.simulation.time
    second.wants = Stream.RGB
    until(lambda: len(second.times) > 5)
    until(lambda: first.times[-1] > second.times[5])
    assert set(second.times[:6]) <= set(first.times)
    assert second.times[0] >= begin
    assert all((time + 1e-6) % 0.02 < 0.002 for time in [*first.times, *second.times])


def test_the_next_comes_a_step_after_its_time_at_the_latest_where_nothing_disturbs(stage):
    screen = Screen(rate_hz=30.0, wants=Stream.MOMENT)
    stage(ball(), screen, realtime=0.5)

    def on_time() -> int:
        newest = list(pairwise(screen.times[-21:]))
        return sum(b - a < 1 / 30.0 + 0.002 + 1e-6 for a, b in newest)

    until(lambda: on_time() > 16)


def test_each_view_has_its_own_rate(stage):
    slow, fast = Screen(0, rate_hz=5.0), Screen(1, rate_hz=50.0)
    stage(ball(), slow, fast, realtime=0.5)

    def count() -> int:
        if len(slow.times) < 4:
            return 0
        first, last = slow.times[-4], slow.times[-1]
        return sum(first <= time < last for time in list(fast.times))

    until(lambda: 25 <= count() <= 32)


def test_nothing_is_drawn_while_nobody_wants_it(stage):
    idle, watched = Screen(0, wants=NOTHING), Screen(1, rate_hz=50.0)
    stage(ball(), idle, watched)
    until(lambda: len(watched.times) > 10)
    assert idle.times == []
    idle.wants = Stream.RGB
    until(lambda: idle.times)
    idle.wants = NOTHING
    done = len(watched.times)
    until(lambda: len(watched.times) > done + 2)
    before = list(idle.times)
    until(lambda: len(watched.times) > done + 12)
    assert idle.times == before


def leave(screen: Screen) -> None:
    """Until the loop knows that nobody looks."""
    screen.wants = NOTHING
    asked = screen.asked
    until(lambda: screen.asked > asked + 1)  # the answer to the first may have been on its way


def test_whoever_comes_back_waits_until_a_period_after_the_last_image(stage):
    screen = Screen(rate_hz=4.0)
    stage(ball(), screen)
    until(lambda: screen.times)
    leave(screen)
    screen.wants = Stream.RGB
    until(lambda: len(screen.times) > 1)
    assert screen.times[1] - screen.times[0] >= 0.25 - 1e-6


def test_whoever_comes_back_in_a_pause_gets_the_image_of_where_it_stands(stage):
    screen = Screen(rate_hz=0.001)
    played = stage(ball(), screen)
    until(lambda: screen.times)
    leave(screen)
    played.simulation.set_paused(True).result(DEADLINE_S)
    screen.wants = Stream.RGB
    until(lambda: len(screen.times) > 1)
    assert screen.times[1] == pytest.approx(played.simulation.time)


def test_whoever_comes_back_after_a_reset_has_an_image_at_once(stage):
    screen = Screen(rate_hz=0.001)
    played = stage(ball(), screen)
    until(lambda: screen.times)
    leave(screen)
    played.simulation.reset().result(DEADLINE_S)
    screen.wants = Stream.RGB
    until(lambda: len(screen.times) > 1)


def test_a_stream_that_is_wanted_in_a_pause_comes_alone(stage):
    frames = []
    screen = Screen(then=lambda frame: frames.append((frame.rgb is None, frame.depth is None)))
    stage(ball(), screen, paused=True)
    until(lambda: frames)
    screen.wants = Stream.RGB | Stream.DEPTH
    until(lambda: len(frames) > 1)
    assert frames == [(False, True), (True, False)]


def test_images_show_the_moment_of_their_time(stage):
    """The ball falls; a step's poses are those before it, an image's those after it."""
    heights = {}

    def measure(frame):
        heights[float(frame.data.time)] = float(frame.data.geom_xpos[0, 2])

    stage(ball(), Screen(rate_hz=50.0, then=measure))
    until(lambda: len(heights) > 10)
    for time, height in dict(heights).items():
        steps = round(time / 0.002)
        assert height == pytest.approx(-9.81 * 0.002**2 * steps * (steps + 1) / 2, abs=1e-9)


def test_a_view_that_is_closed_gets_nothing_any_more(stage):
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def hold(frame):
        begun.set()
        go_on.wait(DEADLINE_S)
        ended.set()

    screen, other = Screen(0, rate_hz=200.0, then=hold), Screen(1, rate_hz=50.0)
    played = stage(ball(), screen, other)
    assert begun.wait(DEADLINE_S)
    threading.Timer(0.1, go_on.set).start()
    played.rendering.close_view(screen.view)
    assert ended.is_set(), 'it waits for the image that is under way'
    delivered, seen = len(screen.times), len(other.times)
    until(lambda: len(other.times) > seen + 5)
    assert len(screen.times) == delivered


def test_views_open_and_close_while_others_go_on(stage):
    lasting = Screen(0, rate_hz=100.0)
    played, model = stage(ball()), ball()
    played.show(model, lasting)
    for _ in range(5):
        passing = Screen(1, rate_hz=100.0)
        played.rendering.open(model, passing.view)
        until(lambda screen=passing: screen.times)
        played.rendering.close_view(passing.view)
    seen = len(lasting.times)
    until(lambda: len(lasting.times) > seen + 5)


@pytest.fixture
def uses(monkeypatch) -> list[tuple[str, threading.Thread]]:
    """Records the calls of OpenGL contexts with their threads; the calls are still made."""
    uses: list[tuple[str, threading.Thread]] = []

    def noted(what, function):
        def note(*args):
            uses.append((what, threading.current_thread()))
            return function(*args)

        return note

    monkeypatch.setattr(loop, 'open_context', noted('open', loop.open_context))
    monkeypatch.setattr(GraphicsContext, 'close', noted('close', GraphicsContext.close))
    return uses


def test_one_context_serves_all_views_and_models_on_the_render_thread_from_open_to_close(
    stage, uses
):
    threads = set()

    def note(frame):
        threads.add(threading.current_thread())

    def screens():
        return [Screen(camera, rate_hz=50.0, then=note) for camera in (0, 1)]

    first, second = screens(), screens()
    played = stage(ball(), *first)
    until(lambda: all(screen.times for screen in first))
    played.show(ball(), *second)
    until(lambda: all(screen.times for screen in second))
    assert played.rendering.close(DEADLINE_S)
    assert [what for what, _ in uses] == ['open', 'close']
    (thread,) = threads.union(thread for _, thread in uses)
    assert thread.name == 'render'


def test_a_loop_that_was_never_started_closes_at_once():
    simulation = Simulation()
    simulation.start()
    assert RenderLoop(simulation, RenderOptions()).close(0.0)
    assert simulation.close(DEADLINE_S)
