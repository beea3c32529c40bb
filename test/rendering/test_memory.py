"""Models come and go, what was loaded for their images goes with them."""

from __future__ import annotations

import gc
from pathlib import Path

import mujoco
import pytest

from mujoco_ros_py.rendering import Stream

from .screens import BALL, Screen, until

TEXTURED = BALL.replace(
    '<worldbody>',
    """
  <asset>
    <texture name="sky" type="2d" builtin="checker" width="256" height="256"/>
    <material name="sky" texture="sky"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 1" material="sky"/>
    """,
)
ALL = Stream.RGB | Stream.DEPTH | Stream.SEGMENTED


def resident_mb() -> float:
    """The memory of this process without pages of files, which the system drops as it likes."""
    status = Path('/proc/self/status').read_text().splitlines()
    (own,) = [line.split()[1] for line in status if line.startswith('RssAnon:')]
    return int(own) * 1024 / 1e6


def swap(played: object, count: int) -> None:
    """Each model has images of both its cameras."""
    for _ in range(count):
        screens = [Screen(camera, wants=ALL, size=(32, 24)) for camera in (0, 1)]
        played.show(mujoco.MjModel.from_xml_string(TEXTURED), *screens)
        until(lambda screens=screens: all(screen.times for screen in screens))


@pytest.mark.slow
def test_memory_is_flat_over_100_models_with_their_views(stage):
    played = stage(mujoco.MjModel.from_xml_string(TEXTURED), paused=True)
    swap(played, 20)
    before = resident_mb()
    swap(played, 100)
    grown = resident_mb() - before
    print(f'100 models with two views each: {grown:+.1f} MB')
    assert grown < 10  # a texture alone has 0.2


def test_images_of_a_model_that_is_gone_hold_no_memory(stage):
    screen = Screen()
    large = TEXTURED.replace('width="256" height="256"', 'width="4096" height="4096"')
    played = stage(mujoco.MjModel.from_xml_string(large), screen)
    until(lambda: screen.times)
    with_images = resident_mb()
    played.show(mujoco.MjModel.from_xml_string('<mujoco/>'))

    def freed() -> bool:
        gc.collect()  # earlier tests of this process may have left garbage in circles
        return resident_mb() < with_images - 40  # the texture alone has 67

    until(freed)
