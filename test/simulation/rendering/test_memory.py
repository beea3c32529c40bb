"""Resources loaded for images are freed together with their model."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from pathlib import Path

import mujoco
import pytest
from deadline import DEADLINE_S, until

from mujoco_ros_py.simulation.rendering import Stream

from .screens import BALL, Screen

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
def test_memory_is_flat_over_40_models_with_their_views(stage):
    played = stage(mujoco.MjModel.from_xml_string(TEXTURED), paused=True)
    swap(played, 20)
    before = resident_mb()
    swap(played, 40)
    grown = resident_mb() - before
    print(f'40 models with two views each: {grown:+.1f} MB')
    assert grown < 5  # a texture alone has 0.2


def test_a_model_that_is_replaced_is_freed_with_its_images(stage):
    """Its resources on the graphics card are freed together with its renderer."""
    screen = Screen()
    model = mujoco.MjModel.from_xml_string(TEXTURED)
    gone = weakref.ref(model)
    played = stage(model, screen)
    del model
    until(lambda: screen.times)
    played.show(mujoco.MjModel.from_xml_string('<mujoco/>'))
    until(lambda: gc.collect() + 1 and gone() is None)


ALONE = """
import mujoco

from mujoco_ros_py.simulation.rendering import RenderLoop, RenderOptions
from mujoco_ros_py.simulation import Simulation
from deadline import DEADLINE_S, until
from simulation.rendering.screens import Screen, Stage
from simulation.rendering.test_memory import TEXTURED, resident_mb

simulation, screen = Simulation(), Screen()
simulation.start()
played = Stage(simulation, RenderLoop(simulation, RenderOptions()))
played.rendering.graphics()
large = TEXTURED.replace('width="256" height="256"', 'width="4096" height="4096"')
played.show(mujoco.MjModel.from_xml_string(large), screen)
until(lambda: screen.times)
with_images = resident_mb()
played.show(mujoco.MjModel.from_xml_string('<mujoco/>'))
until(lambda: resident_mb() < with_images - 40)  # the texture alone has 67
assert simulation.close(DEADLINE_S)
assert played.rendering.close(DEADLINE_S)
"""


@pytest.mark.slow
@pytest.mark.usefixtures('graphics')
def test_images_of_a_model_that_is_gone_hold_no_memory():
    """Runs in a separate process, to exclude the memory of earlier tests."""
    environment = {**os.environ, 'PYTHONPATH': str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, '-c', ALONE], env=environment, timeout=2 * DEADLINE_S,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
