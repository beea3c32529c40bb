"""Essential threads: nothing ends them, and the watchdog names what blocks them."""

from __future__ import annotations

import threading
from concurrent.futures import Future

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.simulation import Owner, RepeatingThread, Watchdog, given_name, name_of
from mujoco_ros_py.simulation.threads.command_queue import settle


def nothing(where: str, error: BaseException) -> None:
    """Of an owner whose functions raise nothing."""


class Thread:
    """A thread as the watchdog sees it."""

    def __init__(self) -> None:
        self.name, self.beats, self.left = 'the thread of the test', 0, 0

    def doing(self) -> str:
        return "publish of plugin 'imu'"

    def leave_behind(self) -> None:
        self.left += 1


def test_a_thread_that_stands_still_is_named_once_and_left_behind_until_it_goes_on(caplog):
    thread = Thread()
    watch = Watchdog([thread], limit_s=0.0)
    watch.look()
    assert watch.standing() == []
    watch.look()
    watch.look()
    (standstill,) = watch.standing()
    assert str(standstill).startswith('the thread of the test has made no progress for ')
    assert str(standstill).endswith("s in publish of plugin 'imu'")
    assert thread.left == 1
    thread.beats += 1
    watch.look()
    assert watch.standing() == []
    said = [record.message for record in caplog.records]
    assert len(said) == 2
    assert 'continues after' in said[1]


def test_a_thread_that_is_not_to_run_does_not_stand_still():
    thread = Thread()
    thread.beats = None
    watch = Watchdog([thread], limit_s=0.0)
    for _ in range(3):
        watch.look()
    assert watch.standing() == []


@pytest.mark.parametrize('error', [RuntimeError, SystemExit, KeyboardInterrupt, GeneratorExit])
def test_nothing_that_its_function_raises_ends_a_repeating_thread(until, caplog, error):
    calls = []

    def tick() -> float:
        calls.append(1)
        if len(calls) in (1, 2):
            raise error('broken')
        return 0.001

    thread = RepeatingThread('tick', tick)
    thread.start()
    until(lambda: calls)
    until(lambda: thread.doing() == f'it raises {error.__name__}: broken' or thread.beats)
    until(lambda: thread.beats)
    assert thread.doing() == ''
    thread.close()
    assert len([each for each in caplog.records if 'tick raised' in each.message]) == 1
    assert thread.beats is None


@pytest.mark.parametrize('error', [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_whoever_waits_for_a_command_cannot_end_the_physics_thread(simulate, pendulum, error):
    simulation = simulate(pendulum, paused=True)

    def fail(future: Future[object]) -> None:
        raise error('broken')

    entered, release = threading.Event(), threading.Event()
    simulation.between_steps(lambda: (entered.set(), release.wait(DEADLINE_S)))
    assert entered.wait(DEADLINE_S)
    for future in (
        simulation.submit(lambda model, data: None),
        simulation.submit(lambda model, data: 1 / 0),
        simulation.step(3),
    ):
        future.add_done_callback(fail)
    release.set()
    simulation.step(2).result(DEADLINE_S)
    assert simulation.status().steps == 5
    assert 'ended' not in simulation.doing()


def test_the_physics_thread_says_in_whose_function_it_is(simulate, pendulum, until):
    simulation = simulate(pendulum)
    entered, release = threading.Event(), threading.Event()

    def wait() -> None:
        with Owner("plugin 'slow'", nothing).at('load'):
            entered.set()
            release.wait(DEADLINE_S)

    simulation.between_steps(wait)
    assert entered.wait(DEADLINE_S)
    beats = simulation.beats
    assert simulation.doing() == "load of plugin 'slow'"
    assert simulation.beats == beats
    release.set()
    until(lambda: simulation.beats > beats)


def test_work_that_may_last_is_held_against_nobody(simulate, pendulum, until):
    simulation = simulate(pendulum)
    entered, release = threading.Event(), threading.Event()
    owner = Owner("plugin 'new'", nothing)

    def wait() -> None:
        with owner.at('the compilation of callbacks', lasting=True):
            entered.set()
            release.wait(DEADLINE_S)

    simulation.between_steps(wait)
    assert entered.wait(DEADLINE_S)
    assert simulation.beats is None
    assert simulation.doing() == "the compilation of callbacks of plugin 'new'"
    assert owner.busy(longer_than_s=-1.0) == []
    release.set()
    until(lambda: simulation.beats is not None)


def test_a_future_that_is_told_keeps_what_its_listeners_raise(caplog):
    future: Future[int] = Future()
    future.add_done_callback(lambda future: [][0])

    def leave(future: Future[int]) -> None:
        raise SystemExit

    future.add_done_callback(leave)
    settle(future, 3)
    assert future.result() == 3
    assert "a done callback of a command's future raised" in caplog.text


def test_names_that_are_not_utf_8_are_shown_and_differ(tmp_path):
    path = tmp_path / 'latin.xml'
    body = '<body name="{0}"><joint name="{0}"/><geom size="1"/><camera name="{0}"/></body>'
    text = ''.join(body.format(name) for name in ('arm@', 'arm#', '', 'arm'))
    xml = f'<mujoco><worldbody>{text}</worldbody></mujoco>'.replace(' name=""', '')
    path.write_bytes(xml.encode().replace(b'@', b'\xff').replace(b'#', b'\xfe'))
    model = mujoco.MjModel.from_xml_path(str(path))
    for kind, word, first in [('BODY', 'body', 1), ('JOINT', 'joint', 0), ('CAMERA', 'cam', 0)]:
        names = [
            name_of(model, getattr(mujoco.mjtObj, f'mjOBJ_{kind}'), first + n) for n in range(4)
        ]
        assert names == [r'arm\xff', r'arm\xfe', f'unnamed_{word}_{first + 2}', 'arm']
    assert given_name(model, mujoco.mjtObj.mjOBJ_JOINT, 2) == ''
