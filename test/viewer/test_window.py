"""The window on a virtual display: its contents, its user's commands, and its end."""

import logging
import os
import signal
from contextlib import ExitStack, closing

import mujoco
import numpy as np
import pytest
from x_display import display
from x_user import User

from mujoco_ros_py.errors import SimulationError, ViewerError
from mujoco_ros_py.session import Session
from mujoco_ros_py.viewer import ServerCommands, ShownSimulation, WindowViewer

from .conftest import wait_until
from .test_in_chromium import SWING, middle, red

__all__ = ['display']

pytestmark = pytest.mark.slow

BALL = '<mujoco><worldbody><geom size="1" rgba="0.1 0.9 0.1 1"/></worldbody></mujoco>'


def commands(session, require=lambda what, service: None):
    set_realtime = session._assembly.simulation.set_realtime
    return ServerCommands(require=require, set_realtime=set_realtime)


@pytest.fixture
def open_window(display, monkeypatch):
    """Returns `open_window(model, require)`, which returns a session and its window."""
    monkeypatch.setenv('DISPLAY', display)
    with ExitStack() as stack:

        def begin(model=SWING, **require):
            session = stack.enter_context(Session(None, [], mujoco_xml=model, realtime=1.0))
            viewer = WindowViewer(ShownSimulation(session._assembly, commands(session, **require)))
            stack.callback(viewer.close)
            viewer.start()
            return session, viewer

        yield begin


@pytest.fixture
def user(display):
    with closing(User(display)) as user:
        yield user


PICTURE = slice(90, 600), slice(280, 680)
"""The rows and columns of the display between the panels of the window, below its text."""
TEXT = slice(0, 90), PICTURE[1]


def text(user):
    """The text in the window, as colours from 0 to 1."""
    return user.look()[TEXT]


def picture(user):
    """The picture in the window, as colours from 0 to 1."""
    return user.look()[PICTURE]


def block(user):
    """The place of the block on the display, in pixels from the left and from the top."""

    def seen():
        place = middle(red(picture(user)))
        return None if place is None else tuple(place)

    row, column = wait_until(seen)
    return column + PICTURE[1].start, row + PICTURE[0].start


def test_the_window_shows_the_model_its_motion_and_another_model(open_window, user):
    session, viewer = open_window()
    wait_until(lambda: red(picture(user)).mean() > 0.01)
    before, pid = red(picture(user)), viewer.pid
    session.call(lambda model, data: data.qpos.__setitem__(0, np.pi / 2))
    wait_until(lambda: (red(picture(user)) ^ before).mean() > 0.5 * before.mean())
    wait_until(lambda: middle(red(picture(user)))[0] > middle(before)[0] + 20)  # it hangs down
    session.reload(mujoco.MjSpec.from_string(BALL))
    wait_until(lambda: red(picture(user)).mean() < 0.0005)
    colors = picture(user)
    assert ((colors[..., 1] > 0.3) & (colors[..., 0] < 0.5 * colors[..., 1])).mean() > 0.01
    assert viewer.pid == pid


def test_keys_pause_step_reset_reload_and_change_the_speed(open_window, user):
    session, viewer = open_window()
    answers = viewer._content.commands
    user.turn_to_window()
    user.press('space')
    wait_until(lambda: not session.status.paused and session.time > 0.1)
    user.press('space')
    wait_until(lambda: session.status.paused)
    steps = session.status.steps
    user.press('Right')
    wait_until(lambda: session.status.steps == steps + 1)
    user.press('equal')
    wait_until(lambda: session.status.realtime == 2.0)
    user.press('minus')
    wait_until(lambda: session.status.realtime == 1.0)
    assert session.time > 0.0
    user.press('BackSpace')
    wait_until(lambda: session.time == 0.0)
    epoch = session.snapshot().epoch
    user.press('F9')
    wait_until(lambda: 'reload: done' in answers.answers)
    assert session.snapshot().epoch > epoch

    # keys count even if the window's status is older
    user.press('space')
    user.press('space')
    wait_until(lambda: sorted(answers.answers[-2:]) == ['pause: done', 'run: done'])
    assert session.status.paused
    for speed in 2.0, 4.0, 8.0, 4.0:
        user.press('equal' if speed > session.status.realtime else 'minus')
        wait_until(lambda speed=speed: session.status.realtime == speed)


def test_a_reset_that_is_refused_changes_nothing_in_the_window(open_window, user):
    def require(what, service):
        raise SimulationError(f'{what} needs the admin hash')

    session, viewer = open_window(require=require)
    _, y = block(user)
    session.call(lambda model, data: data.qpos.__setitem__(0, np.pi / 2))
    wait_until(lambda: block(user)[1] > y + 20)
    user.turn_to_window()
    said = text(user)  # the time stands still
    user.press('BackSpace')
    refused = 'reset: a reset by the viewer needs the admin hash'
    wait_until(lambda: refused in viewer._content.commands.answers)
    wait_until(lambda: (text(user) != said).any())
    wait_until(lambda: block(user)[1] > y + 20)
    assert session.call(lambda model, data: data.qpos[0]) == np.pi / 2


def test_dragging_with_the_mouse_turns_the_block_in_the_simulation(open_window, user):
    session, _ = open_window()
    user.turn_to_window()
    session.set_paused(False)

    def turned():
        return session.call(lambda model, data: data.qpos[0] > 0.05)

    def dragged():
        place = block(user)  # the block does not move until it is dragged
        user.select(*place)
        return user.drag(*place, 120, turned)

    wait_until(lambda: session.time > 0.1)
    assert not turned()
    wait_until(dragged)  # down, like the mouse
    wait_until(lambda: session.call(lambda model, data: not data.xfrc_applied.any()))


def test_a_window_that_is_killed_comes_back_and_the_physics_goes_on(open_window, caplog):
    caplog.set_level(logging.INFO)
    session, viewer = open_window()
    shown = 'the window shows the simulation'
    wait_until(lambda: caplog.messages.count(shown) == 1)
    session.set_paused(False)
    os.kill(viewer.pid, signal.SIGKILL)
    wait_until(lambda: caplog.messages.count(shown) == 2)
    assert 'signal SIGKILL' in caplog.text
    steps = session.status.steps
    wait_until(lambda: session.status.steps > steps)


def test_a_display_that_cannot_be_opened_is_told_once(monkeypatch, caplog):
    monkeypatch.setenv('DISPLAY', ':0.77')
    monkeypatch.delenv('WAYLAND_DISPLAY', raising=False)
    with Session(None, [], mujoco_xml=SWING) as session:
        viewer = WindowViewer(ShownSimulation(session._assembly, commands(session)))
        viewer.start()
        wait_until(lambda: not viewer.runs)
        viewer.close()
        session.step()
    (told,) = [each for each in caplog.messages if 'window' in each]
    assert told.startswith('the window is not shown: the display cannot be opened (')


def test_without_a_display_no_process_is_started(monkeypatch):
    monkeypatch.delenv('DISPLAY', raising=False)
    monkeypatch.delenv('WAYLAND_DISPLAY', raising=False)
    with (
        Session(None, [], mujoco_xml=SWING) as session,
        pytest.raises(ViewerError, match='no display, because neither DISPLAY nor'),
    ):
        WindowViewer(ShownSimulation(session._assembly, commands(session)))
