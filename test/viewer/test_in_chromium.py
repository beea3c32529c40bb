"""The page in a real browser: the picture, the buttons, several browsers."""

import signal

import mujoco
import numpy as np
import pytest
from chromium import page_colors, press, press_twice, signal_browser

from mujoco_ros_py.plugins import MujocoPlugin

from .conftest import wait_until

pytestmark = pytest.mark.slow

SWING = """
<mujoco>
  <option gravity="0 0 0"/>
  <visual><global azimuth="90" elevation="0"/></visual>
  <worldbody>
    <light pos="0 -3 3" dir="0 1 -1"/>
    <body name="block" pos="0 0 0.5">
      <joint name="turn" axis="0 1 0"/>
      <geom type="box" size="0.4 0.1 0.1" pos="0.4 0 0" rgba="1 0 0 1" mass="1"/>
    </body>
  </worldbody>
</mujoco>"""
PICTURE = (220, 60, 700, 600)
"""The uncovered part of the picture on the page, in pixels."""


def picture(page):
    """The picture of the simulation on the page, as colours from 0 to 1."""
    return page_colors(page, PICTURE)


def red(colors):
    """Returns a mask of the red pixels, which are those of the block."""
    return (colors[..., 0] > 0.3) & (colors[..., 1:].max(-1) < 0.6 * colors[..., 0])


def await_picture(page, holds=np.any):
    """Waits until the mask of the block's pixels satisfies `holds`, and returns the mask."""

    def looked():
        place = red(picture(page))
        return (place,) if holds(place) else None

    return wait_until(looked)[0]


def click(shown, page, name, done):
    """Clicks a button of the panel until the click has an effect: a busy page misses clicks."""

    def clicked():
        place = shown.page['buttons'].get(name)
        if place is not None and not done():
            press(page, place)
            page.wait_for_timeout(1000)
        return done()

    wait_until(clicked)


def test_the_page_shows_the_model_move_and_obeys_when_another_one_was_killed(show, open_page):
    shown = show(SWING, velocities={'turn': 1.0})
    await_picture(first := open_page(shown.viewer.address))
    signal_browser(first, signal.SIGKILL)
    page = open_page(shown.viewer.address)
    before = await_picture(page)
    shown.session.set_paused(False)
    await_picture(page, lambda place: np.mean(place ^ before) > 0.5 * np.mean(before))
    click(shown, page, 'Pause', lambda: shown.session.status.paused)
    click(shown, page, 'Reset', lambda: shown.session.time == 0.0)


def drag(page, place, down, done):
    """Drags the selected body with Ctrl and the right mouse button."""
    x, y = place
    page.mouse.move(x, y)
    page.keyboard.down('Control')
    page.wait_for_timeout(300)
    page.mouse.down(button='right')
    for part in np.linspace(0.1, 1.0, 10):
        page.mouse.move(x, y + down * part)
        page.wait_for_timeout(100)
        if done():
            break
    page.mouse.up(button='right')
    page.keyboard.up('Control')


def test_dragging_with_the_mouse_turns_the_block_in_the_simulation(show, open_page):
    shown = show(SWING)
    page = open_page(shown.viewer.address)
    row, column = middle(await_picture(page))
    block = column + PICTURE[0], row + PICTURE[1]  # the block does not move until it is dragged
    shown.session.set_paused(False)

    def selected():
        if not shown.page['selected']:
            press_twice(page, block)
            page.wait_for_timeout(500)
        return shown.page['selected'] == 1

    def turned():
        return shown.session.call(lambda model, data: data.qpos[0] > 0.05)

    def dragged():
        if not turned():
            drag(page, block, 120, turned)
        return turned()

    def is_free():
        return shown.session.call(lambda model, data: not data.xfrc_applied.any())

    wait_until(selected)
    assert not turned()
    wait_until(dragged)  # down, like the mouse
    wait_until(is_free)


class Marks(MujocoPlugin):
    """Draws a green ball above the middle of the block."""

    def render_callback(self, model, data, scene):
        geom, scene.ngeom = scene.geoms[scene.ngeom], scene.ngeom + 1
        kind, size = mujoco.mjtGeom.mjGEOM_SPHERE, np.full(3, 0.08)
        block, color = data.body('block'), np.array([0.0, 1.0, 0.0, 1.0], np.float32)
        place = block.xpos + block.xmat.reshape(3, 3) @ [0.2, 0.0, 0.2]
        mujoco.mjv_initGeom(geom, kind, size, place, np.eye(3).ravel(), color)


def middle(place):
    """The row and the column of an area's middle, from the top left; None if it is empty."""
    return np.argwhere(place).mean(0) if place.any() else None


def test_what_render_callbacks_draw_is_seen_and_moves_and_is_gone_with_its_plugin(show, open_page):
    shown = show(SWING, [Marks])
    page = open_page(shown.viewer.address)

    def ball():
        colors = picture(page)[:, :400]  # away from the axes, one of them green
        return middle((colors[..., 1] > 0.3) & (colors[..., ::2].max(-1) < 0.6 * colors[..., 1]))

    wait_until(lambda: ball() is not None)
    row, _ = ball()
    block_row, _ = middle(red(picture(page)))
    assert block_row - row > 50, 'the ball is above the block'
    shown.session.call(lambda model, data: data.qpos.__setitem__(0, np.pi / 2))
    wait_until(lambda: ball() is not None and ball()[0] - row > 50)
    shown.session.change(plugins=[])
    wait_until(lambda: ball() is None)
