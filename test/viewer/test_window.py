"""The window on a display without a screen: what is in it, what ends it, and its absence."""

import logging
import os
import shutil
import signal
import subprocess
from contextlib import ExitStack

import mujoco
import numpy as np
import pytest
from x_display import display

from mujoco_ros_py.errors import ViewerError
from mujoco_ros_py.session import Session
from mujoco_ros_py.viewer import ServerCommands, WindowViewer

from .conftest import wait_until
from .test_in_chromium import SWING, middle, red

__all__ = ['display']

pytestmark = pytest.mark.slow

BALL = '<mujoco><worldbody><geom size="1" rgba="0.1 0.9 0.1 1"/></worldbody></mujoco>'


def commands(session):
    set_realtime = session._assembly.simulation.set_realtime
    return ServerCommands(require=lambda what, service: None, set_realtime=set_realtime)


@pytest.fixture
def open_window(display, monkeypatch):
    """Returns `open_window()`, which shows the swing on the display: a session and its window."""
    monkeypatch.setenv('DISPLAY', display)
    with ExitStack() as stack:

        def begin():
            session = stack.enter_context(Session(None, [], mujoco_xml=SWING, realtime=1.0))
            viewer = WindowViewer(session._assembly, commands(session))
            stack.callback(viewer.close)
            viewer.start()
            return session, viewer

        yield begin


PICTURE = slice(0, 600), slice(280, 680)
"""The rows and columns of the display between the panels of the window."""


def picture(display):
    """The picture in the window, as colours from 0 to 1."""
    if shutil.which('xwd') is None:
        pytest.skip('no xwd is installed')
    done = subprocess.run(
        ['xwd', '-root', '-silent', '-display', display], capture_output=True, check=True
    )
    head = np.frombuffer(done.stdout, '>u4', 25)
    width, height, bits, line, colors = (int(head[k]) for k in (4, 5, 11, 12, 19))
    pixels = np.frombuffer(done.stdout, np.uint8, offset=int(head[0]) + 12 * colors)
    rows = pixels[: height * line].reshape(height, line)[:, : width * bits // 8]
    return rows.reshape(height, width, bits // 8)[PICTURE[0], PICTURE[1], 2::-1] / 255.0


def test_the_window_shows_the_model_its_motion_and_another_model(open_window, display):
    session, viewer = open_window()
    wait_until(lambda: red(picture(display)).mean() > 0.01)
    before, pid = red(picture(display)), viewer.pid
    session.call(lambda model, data: data.qpos.__setitem__(0, np.pi / 2))
    wait_until(lambda: (red(picture(display)) ^ before).mean() > 0.5 * before.mean())
    wait_until(lambda: middle(red(picture(display)))[0] > middle(before)[0] + 20)  # it hangs down
    session.reload(mujoco.MjSpec.from_string(BALL))
    wait_until(lambda: red(picture(display)).mean() < 0.0005)
    colors = picture(display)
    assert ((colors[..., 1] > 0.3) & (colors[..., 0] < 0.5 * colors[..., 1])).mean() > 0.01
    assert viewer.pid == pid


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
        viewer = WindowViewer(session._assembly, commands(session))
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
        pytest.raises(ViewerError, match='there is no display, as neither DISPLAY nor'),
    ):
        WindowViewer(session._assembly, commands(session))
