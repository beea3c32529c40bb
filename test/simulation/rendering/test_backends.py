"""OpenGL backends, each in its own process because a process chooses only once."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

DRAW = """
import sys
import mujoco
from mujoco_ros_py.simulation.rendering import Renderer, RenderOptions, Stream
from mujoco_ros_py.simulation.rendering.backend import open_context

graphics = open_context(sys.argv[1])
model = mujoco.MjModel.from_xml_string('<mujoco><worldbody><camera pos="0 0 3"/><light/>'
                                       '<geom size="1" rgba="1 0 0 1"/></worldbody></mujoco>')
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
renderer = Renderer(model, graphics, RenderOptions())
frame = renderer.draw(data, 0, (64, 64), Stream.RGB | Stream.DEPTH)
print(graphics.name, frame.rgb[32, 32, 0] > 50, round(float(frame.depth[32, 32]), 2))
renderer.close()
graphics.close()
"""


def drawn(backend: str, **environment: str) -> str:
    left_out = ('PYOPENGL_PLATFORM', 'MUJOCO_GL')
    env = {name: value for name, value in os.environ.items() if name not in left_out}
    command = [sys.executable, '-c', DRAW, backend]
    done = subprocess.run(command, env={**env, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def osmesa() -> None:
    try:
        ctypes.CDLL('libOSMesa.so.8')
    except OSError as error:
        pytest.skip(f'OSMesa is not installed: {error}')


def test_egl_comes_first(graphics):
    assert drawn('auto').startswith('EGL')


def test_osmesa_draws_the_same(osmesa):
    output = drawn('osmesa')
    assert output.startswith('OSMesa')
    assert output.split()[-2:] == ['True', '2.0']


def test_osmesa_follows_where_egl_has_no_device(osmesa):
    assert drawn('auto', __EGL_VENDOR_LIBRARY_DIRS='/nonexistent').startswith('OSMesa')
