"""Images of a physics, with real OpenGL."""

from __future__ import annotations

import os
import subprocess
import sys

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py import mjcf

MODEL = """
<mujoco>
  <visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
  <worldbody>
    <camera name="above" pos="0 0 2"/>
    <body name="ball"><joint name="slide" type="slide" axis="1 0 0"/>
      <geom name="red" size="0.2" rgba="1 0 0 1"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def root():
    return mjcf.from_xml_string(MODEL)


@pytest.fixture
def physics(graphics, root):
    graphics.context.make_current()
    physics = mjcf.Physics.from_mjcf_model(root)
    yield physics
    physics.free()
    graphics.context.make_current()


def test_an_image_shows_the_model(physics):
    image = physics.render(60, 80, 'above')
    assert image.shape == (60, 80, 3)
    assert image[30, 40].tolist() == [255, 0, 0]
    assert image[0, 0].tolist() == [0, 0, 0]
    assert physics.render(camera_id=0).shape == (240, 320, 3)
    assert physics.render().any()


def test_an_image_shows_what_was_written_last(root, physics):
    assert physics.render(60, 80, 'above')[30, 40, 0]
    physics.bind(root.find('joint', 'slide')).qpos = 0.5
    assert not physics.render(60, 80, 'above')[30, 40, 0]


def test_depths_are_in_metres(physics):
    depth = physics.render(60, 80, 'above', depth=True)
    assert depth.shape == (60, 80)
    assert depth[30, 40] == pytest.approx(1.8, abs=0.01)
    assert physics.render(60, 80, 'above').dtype == np.uint8


def test_a_segmentation_tells_what_is_seen(physics):
    seen = physics.render(60, 80, 'above', segmentation=True)
    assert seen[30, 40].tolist() == [0, mujoco.mjtObj.mjOBJ_GEOM]
    assert seen[0, 0].tolist() == [-1, -1]
    with pytest.raises(ValueError, match='depth and segmentation cannot'):
        physics.render(depth=True, segmentation=True)


def test_options_flags_and_what_is_added_hold_for_one_image(physics):
    hidden = mujoco.MjvOption()
    hidden.geomgroup[0] = 0
    assert not physics.render(60, 80, 'above', scene_option=hidden).any()

    def add(of, scene):
        assert of is physics
        mujoco.mjv_initGeom(
            scene.geoms[scene.ngeom], mujoco.mjtGeom.mjGEOM_SPHERE, np.full(3, 0.1),
            np.array([0.3, 0.3, 0]), np.eye(3).ravel(), np.array([0, 1, 0, 1], np.float32),
        )  # fmt: skip
        scene.ngeom += 1

    assert physics.render(60, 80, 'above', scene_callback=add)[:, :, 1].any()
    plain = physics.render(60, 80, 'above')
    wired = physics.render(60, 80, 'above', render_flag_overrides={'wireframe': True})
    assert (wired != plain).any()
    assert (physics.render(60, 80, 'above') == plain).all()
    with pytest.raises(ValueError, match="unknown render flag 'wires'; known: shadow, wireframe"):
        physics.render(render_flag_overrides={'wires': True})


def test_what_cannot_be_made_is_told(physics):
    with pytest.raises(ValueError, match='left'):
        physics.render(camera_id='left')
    with pytest.raises(ValueError, match='framebuffer'):
        physics.render(width=99999)


@pytest.mark.slow
def test_images_of_many_sizes_and_of_a_reloaded_model(root, physics):
    for width in range(80, 84):
        assert physics.render(60, width, 'above').shape == (60, width, 3)
    root.find('geom', 'red').rgba = [0, 1, 0, 1]
    physics.reload_from_mjcf_model(root)
    assert physics.render(60, 80, 'above')[30, 40].tolist() == [0, 255, 0]
    physics.free()
    assert physics.render(60, 80, 'above')[30, 40].tolist() == [0, 255, 0]


SCRIPT = f"""
from mujoco_ros_py import mjcf
mjcf.Physics.from_xml_string('''{MODEL}''').render()
"""


@pytest.mark.slow
def test_without_opengl_an_image_is_an_error():
    without = 'DISPLAY', 'WAYLAND_DISPLAY', 'PYOPENGL_PLATFORM'
    environment = {key: value for key, value in os.environ.items() if key not in without}
    done = subprocess.run(
        [sys.executable, '-c', SCRIPT], env={**environment, 'MUJOCO_GL': 'glfw'},
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip
    assert 'mujoco_ros_py.errors.RenderingError: no OpenGL: ' in done.stderr


def test_images_leave_no_variable_for_processes_that_are_started_later():
    names = 'DISPLAY', 'WAYLAND_DISPLAY', 'MUJOCO_GL'
    environment = {key: value for key, value in os.environ.items() if key not in names}
    code = f'{SCRIPT}{SCRIPT}import os; print(os.environ.get("MUJOCO_GL"))'
    done = subprocess.run(
        [sys.executable, '-c', code], env=environment,
        capture_output=True, text=True, timeout=DEADLINE_S, check=True,
    )  # fmt: skip
    assert done.stdout == 'None\n'
