"""The window of a server in eval_mode: what its keys and the mouse are refused."""

from __future__ import annotations

import itertools
import time
from contextlib import closing

import pytest
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from x_display import display
from x_user import User

from .harness import seconds, wait_until

__all__ = ['display']

pytestmark = pytest.mark.slow

SECRET = 'swordfish-8271'
BLOCK = """
<mujoco>
  <option gravity="0 0 0"/>
  <visual><global azimuth="90" elevation="0"/></visual>
  <worldbody>
    <light pos="0 -3 3" dir="0 1 -1"/>
    <body>
      <joint name="lift" type="slide" axis="0 0 1"/>
      <geom type="box" size="0.1 0.1 0.1" rgba="1 0 0 1" mass="1"/>
    </body>
    <site pos="0 0 0.5"/>
    <site pos="0 0 -0.5"/>
  </worldbody>
</mujoco>"""
REFUSALS = {
    'space': 'pausing by the viewer',
    'Right': 'a step by the viewer',
    'BackSpace': 'a reset by the viewer',
    'F9': 'a reload by the viewer',
    'equal': 'changing the speed by the viewer',
}
PICTURE = slice(150, 550), slice(300, 660)
"""The rows and columns of the display that have nothing but the picture."""


@pytest.fixture
def user(display):
    with closing(User(display)) as user:
        yield user


@pytest.fixture
def shown(start, display, user):
    """A server in eval_mode and its client; its window is there, and gets the keys."""
    parameters = {
        'mujoco_xml': BLOCK, 'eval_mode': True, 'admin_hash': SECRET, 'headless': False,
    }  # fmt: skip
    process, client = start(parameters, DISPLAY=display)
    process.wait_for_output('the window shows the simulation')
    user.turn_to_window()
    return process, client


def test_in_eval_mode_keys_do_what_the_admin_hash_permits(shown, user):
    process, client = shown
    times = client.collect(Clock, '/clock', reliable=False)
    wait_until(lambda: times, 'the clock')
    for key, what in REFUSALS.items():
        user.press(key)
        process.wait_for_output(f'{what} needs the admin hash in eval_mode')
    count = len(times)
    wait_until(lambda: len(times) > count + 10, 'a clock that goes on')
    stamps = [seconds(each.clock) for each in list(times)]
    assert stamps == sorted(stamps)
    assert client.get_parameter('realtime').double_value == 1.0
    assert 'done' not in ''.join(line for line in process.lines if 'viewer: ' in line)

    def press(key, seen):
        """Permits one command and presses a key for it; a machine may be too slow for that."""

        def done():
            (result,) = client.set_parameters(admin_hash=SECRET)
            assert result.successful, result.reason
            user.press(key)
            time.sleep(1.0)
            return seen()

        wait_until(done, f'what the key {key} does')

    press('equal', lambda: client.get_parameter('realtime').double_value > 1.0)
    press('BackSpace', lambda: 'viewer: reset: done' in process.output)


def red(user):
    """Where there is red in the picture: the block, and the arrow of a force that drags it."""
    colors = user.look()[PICTURE]
    return (colors[..., 0] > 0.3) & (colors[..., 1:].max(-1) < 0.6 * colors[..., 0])


def test_in_eval_mode_no_body_is_pushed_while_the_mouse_drags_it(shown, user):
    _, client = shown
    states = client.collect(JointState, 'joint_states')
    downs = itertools.cycle((120, -120))

    def dragged():
        """Drags the block where it is seen: a drag that has selected nothing moves the camera."""
        wait_until(lambda: red(user).mean() > 0.005, 'the block')
        block = red(user)
        row, column = (block.nonzero()[axis].mean() for axis in (0, 1))
        place = column + PICTURE[1].start, row + PICTURE[0].start

        def arrow():
            """Whether an arrow comes out of the block, which has not moved on the picture."""
            now = red(user)
            return (now & ~block).sum() > 200 and (block & ~now).sum() < 0.02 * block.sum()

        user.select(*place)
        return user.drag(*place, next(downs), lambda: arrow() or moved())

    def moved():
        return any(state.position[0] for state in list(states))

    wait_until(dragged, 'an arrow')
    count = len(states)
    wait_until(lambda: len(states) > count + 10, 'states after it')
    assert {tuple(state.position) for state in list(states)} == {(0.0,)}
