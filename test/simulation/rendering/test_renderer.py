"""Rendered images, their cameras, and the limits of OpenGL."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import RenderingError
from mujoco_ros_py.simulation.rendering import GRAPHICS_PACKAGES, RenderOptions, Stream
from mujoco_ros_py.simulation.rendering.renderer import Renderer

SIZE = WIDTH, HEIGHT = 120, 90
ROOM = """
<mujoco>
  <asset><material name="mirror" reflectance="0.8"/></asset>
  <worldbody>
    <light pos="1 -1 3" dir="-1 1 -3" castshadow="true"/>
    <camera pos="0 -2 1.2" xyaxes="1 0 0 0 0.5 1"/>
    <geom name="floor" type="plane" size="0 0 1" material="mirror"/>
    <geom name="ball" size="0.3" pos="0 0 0.5" rgba="0 0 1 1"/>
  </worldbody>
</mujoco>
"""
ALL = Stream.RGB | Stream.DEPTH | Stream.SEGMENTED


@pytest.fixture
def room() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(ROOM)


def paint_red_wall(model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
    """Before everything else."""
    mujoco.mjv_initGeom(
        scene.geoms[scene.ngeom], mujoco.mjtGeom.mjGEOM_BOX, np.array([3, 0.01, 3]),
        np.array([0, -1.5, 1.0]), np.eye(3).ravel(), np.array([1, 0, 0, 1], np.float32),
    )  # fmt: skip
    scene.geoms[scene.ngeom].emission = 1
    scene.ngeom += 1


def test_what_a_painter_adds_is_seen_in_colour_alone(draw, room):
    plain, painted = draw(room, SIZE, ALL), draw(room, SIZE, ALL, paint_red_wall)

    red = (painted.rgb[..., 0] > 150) & (painted.rgb[..., 1:].max(axis=2) < 100)
    assert red.all(), 'the wall hides all'
    assert not (plain.rgb == painted.rgb).all(axis=2).any()
    np.testing.assert_array_equal(plain.depth, painted.depth)
    np.testing.assert_array_equal(plain.labels, painted.labels)


def test_two_models_can_be_drawn_by_turns(draw, graphics, room):
    other = mujoco.MjModel.from_xml_string(ROOM.replace('0 0 1 1', '0 1 0 1'))
    large = (2 * WIDTH, 9 * HEIGHT)
    alone = draw(room, SIZE, Stream.RGB).rgb.copy(), draw(other, large, Stream.RGB).rgb.copy()
    assert not np.array_equal(alone[0], alone[1][:HEIGHT, :WIDTH])
    renderers = [Renderer(model, graphics, RenderOptions()) for model in (room, other)]
    for _ in range(2):
        for renderer, size, expected in zip(renderers, (SIZE, large), alone, strict=True):
            renderer.make_room(*size)
            frame = renderer.draw(data_of(renderer.model), 0, size, Stream.RGB)
            assert_same(frame.rgb, expected)
    renderers[1].close()
    frame = renderers[0].draw(data_of(room), 0, SIZE, Stream.RGB)
    assert_same(frame.rgb, alone[0])
    renderers[0].close()


def assert_same(image: np.ndarray, expected: np.ndarray) -> None:
    """Compares images, except for rounding in OpenGL."""
    np.testing.assert_allclose(image.astype(int), expected, atol=2)


def data_of(model: mujoco.MjModel) -> mujoco.MjData:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return data


@pytest.mark.parametrize('flag', ['WIREFRAME', 'DEPTH', 'CULL_FACE'])
def test_flags_that_a_painter_sets_change_colours_alone(draw, flag):
    """The camera is inside a shell, which is visible there only without face culling."""
    shell = '<geom name="shell" size="1" pos="0 -2 1.2"/></worldbody>'
    room = mujoco.MjModel.from_xml_string(ROOM.replace('</worldbody>', shell))

    def toggle(model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
        number = getattr(mujoco.mjtRndFlag, f'mjRND_{flag}')
        scene.flags[number] = not scene.flags[number]

    plain, painted = draw(room, SIZE, ALL), draw(room, SIZE, ALL, toggle)

    assert (plain.rgb != painted.rgb).any(axis=2).mean() > 0.3
    np.testing.assert_array_equal(plain.depth, painted.depth)
    np.testing.assert_array_equal(plain.labels, painted.labels)


def test_what_a_painter_adds_is_gone_in_the_next_image(renderer, room):
    data = mujoco.MjData(room)
    mujoco.mj_forward(room, data)
    camera = renderer(room, SIZE)
    before = camera.draw(data, 0, SIZE, Stream.RGB).rgb.copy()
    camera.draw(data, 0, SIZE, Stream.RGB, paint_red_wall)
    after = camera.draw(data, 0, SIZE, Stream.RGB).rgb
    np.testing.assert_allclose(after.astype(int), before, atol=1)


def test_images_have_their_first_row_at_the_top_and_red_first(draw, room):
    frame = draw(room, SIZE, ALL)
    assert (frame.rgb.dtype, frame.rgb.shape) == (np.uint8, (HEIGHT, WIDTH, 3))
    rows, _ = np.nonzero(frame.labels == 2)
    assert frame.labels[-1, 0] == 1, 'the floor is at the bottom'
    red, green, blue = frame.rgb[frame.labels == 2].mean(axis=0)
    assert blue > 2 * max(red, green), 'the ball is blue'
    assert rows.mean() < HEIGHT - 1 - np.nonzero(frame.labels == 1)[0].mean() + HEIGHT / 2


def test_nothing_is_drawn_for_nobody(renderer, room):
    data = mujoco.MjData(room)
    frame = renderer(room, SIZE).draw(data, 0, SIZE, Stream.MOMENT, pytest.fail)
    assert (frame.rgb, frame.depth, frame.labels) == (None, None, None)
    assert frame.data is data


@pytest.mark.parametrize('option', [{'shadows': True}, {'reflections': True}, {'samples': 4}])
def test_options_change_the_colours_and_nothing_else(draw, room, option):
    plain, other = draw(room, SIZE, ALL), draw(room, SIZE, ALL, **option)
    changed = (plain.rgb != other.rgb).any(axis=2).sum()
    assert changed > 20, f'{changed} pixels'
    np.testing.assert_array_equal(plain.depth, other.depth)
    np.testing.assert_array_equal(plain.labels, other.labels)


def test_the_samples_of_the_model_itself_stay_as_they_are(draw, room):
    room.vis.quality.offsamples = 7
    draw(room, SIZE, Stream.RGB, samples=2)
    assert room.vis.quality.offsamples == 7


def test_a_view_can_be_larger_than_the_model_says(draw, room):
    assert (room.vis.global_.offwidth, room.vis.global_.offheight) == (640, 480)
    frame = draw(room, (800, 600), Stream.SEGMENTED)
    corners = frame.labels[-1, [0, -1]]
    assert corners.tolist() == [1, 1], 'the floor reaches the corners'


@pytest.mark.parametrize('side', [0, 1])
def test_an_image_larger_than_opengl_allows_is_an_error_with_the_limit_and_what_came(
    renderer, room, graphics, side
):
    size = [8, 8]
    size[side] = graphics.max_size + 1
    with pytest.raises(RenderingError) as raised:
        renderer(room, tuple(size))
    assert f'{graphics.max_size} pixels' in str(raised.value)
    assert f'got {size[0]} x {size[1]}' in str(raised.value)


@pytest.mark.slow
def test_without_opengl_the_error_has_the_reason_of_each_backend_and_the_packages(broken_opengl):
    program = (
        'from mujoco_ros_py.errors import RenderingError\n'
        'from mujoco_ros_py.simulation.rendering.backend import open_context\n'
        'try:\n    open_context("auto")\nexcept RenderingError as error:\n    print(error)\n'
    )
    chosen = 'MUJOCO_GL', 'PYOPENGL_PLATFORM'  # by earlier tests, in this process
    without_choice = {name: value for name, value in os.environ.items() if name not in chosen}
    done = subprocess.run(
        [sys.executable, '-c', program],
        env={**without_choice, **broken_opengl},
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.match(r'no OpenGL \(EGL: .*libEGL.so.1.*; OSMesa: .*libOSMesa.so.8', done.stdout)
    assert GRAPHICS_PACKAGES in done.stdout
    assert done.stderr == ''
