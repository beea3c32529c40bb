"""The OpenGL contexts with which code for PyMJCF calls MuJoCo's drawing functions."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from deadline import DEADLINE_S

DRAWS = """
import mujoco, numpy as np
from mujoco_ros_py.mjcf import pymjcf
physics = pymjcf.Physics.from_xml_string('''
    <mujoco>
      <visual><global offwidth="32" offheight="24"/></visual>
      <worldbody><geom type="plane" size="9 9 1" rgba="1 0 0 1"/><light pos="0 0 3"/></worldbody>
    </mujoco>''')
image = physics.render(24, 32)
assert image.shape == (24, 32, 3)
assert image[:, :, 0].sum() > 2 * image[:, :, 1].sum() and image.any(), image
with physics.contexts.gl.make_current() as gl:
    def draw():
        scene = mujoco.MjvScene(physics.model.ptr, 10)
        camera = mujoco.MjvCamera()
        camera.elevation = -90
        mujoco.mjv_updateScene(
            physics.model.ptr, physics.data.ptr, mujoco.MjvOption(), None, camera,
            mujoco.mjtCatBit.mjCAT_ALL, scene)
        place, image = mujoco.MjrRect(0, 0, 32, 24), np.zeros((24, 32, 3), np.uint8)
        mujoco.mjr_render(place, scene, physics.contexts.mujoco.ptr)
        mujoco.mjr_readPixels(image, None, place, physics.contexts.mujoco.ptr)
        return image
    red, green, blue = gl.call(draw)[12, 16]
assert red > 2 * green and red > 2 * blue, (red, green, blue)
"""


@pytest.mark.slow
@pytest.mark.usefixtures('graphics')
def test_images_and_contexts_are_there_without_a_screen_and_without_mujoco_gl():
    left_out = 'DISPLAY', 'WAYLAND_DISPLAY', 'MUJOCO_GL', 'PYOPENGL_PLATFORM'
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    done = subprocess.run(
        [sys.executable, '-c', DRAWS],
        env=environment,
        timeout=DEADLINE_S,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
