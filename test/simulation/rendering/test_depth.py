from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.simulation.rendering import Stream, intrinsics

from .screens import orthographic

SIZE = WIDTH, HEIGHT = 160, 120
NEAR, MIDDLE, FAR = 0.4, 2.0, 9.0
SLOPE = 0.5
WALLS = f"""
<mujoco>
  <statistic extent="1"/>
  <visual><map znear="0.01" zfar="50"/></visual>
  <worldbody>
    <camera euler="0 0 0"/>
    <geom type="box" size="0.05 0.3 1e-5" pos="-0.15 0 {-NEAR}"/>
    <geom type="box" size="0.3 2 1e-5" pos="0 0 {-MIDDLE}"/>
    <geom type="box" size="1 9 1e-5" pos="2.5 0 {-FAR}"/>
  </worldbody>
</mujoco>
"""
RAMP = f"""
<mujoco>
  <statistic extent="1"/>
  <visual><map znear="0.01" zfar="50"/></visual>
  <worldbody>
    <camera fovy="50"/>
    <geom type="plane" size="20 20 1" pos="0 0 -2" zaxis="0 {SLOPE} 1"/>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize('samples', [0, 4])
def test_walls_are_as_far_as_they_are(draw, samples):
    model = mujoco.MjModel.from_xml_string(WALLS)
    frame = draw(model, SIZE, Stream.DEPTH | Stream.SEGMENTED, samples=samples)

    assert (frame.depth.dtype, frame.depth.shape) == (np.float32, (HEIGHT, WIDTH))
    for label, distance in [(1, NEAR), (2, MIDDLE), (3, FAR)]:
        depths = frame.depth[frame.labels == label]
        assert len(depths) > 100
        np.testing.assert_allclose(depths, distance, atol=1e-3)


@pytest.mark.parametrize('samples', [0, 4])
def test_each_pixel_of_a_ramp_is_as_far_as_the_ray_through_its_middle(draw, samples):
    """The plane is z = 2 + SLOPE * y with z ahead and y up."""
    model = mujoco.MjModel.from_xml_string(RAMP)
    depth = draw(model, SIZE, Stream.DEPTH, samples=samples).depth
    k = intrinsics(model, 0, *SIZE)

    up = (k[1, 2] - np.arange(HEIGHT)) / k[1, 1]
    expected = 2 / (1 - SLOPE * up)
    np.testing.assert_allclose(depth, np.tile(expected[:, None], WIDTH), atol=1e-3)


def test_an_orthographic_camera_measures_along_its_axis(draw):
    model = mujoco.MjModel.from_xml_string(
        WALLS.replace('euler="0 0 0"', f'fovy="4" {orthographic()}')
    )
    frame = draw(model, SIZE, Stream.DEPTH | Stream.SEGMENTED)
    for label, distance in [(1, NEAR), (2, MIDDLE)]:
        depths = frame.depth[frame.labels == label]
        assert len(depths) > 50
        np.testing.assert_allclose(depths, distance, atol=1e-3)


def test_where_nothing_is_the_depth_is_infinite(draw):
    model = mujoco.MjModel.from_xml_string(WALLS)
    frame = draw(model, SIZE, Stream.DEPTH | Stream.SEGMENTED)
    assert 100 < (frame.labels == 0).sum() < WIDTH * HEIGHT - 100
    np.testing.assert_array_equal(np.isposinf(frame.depth), frame.labels == 0)


def test_depth_is_the_same_with_and_without_the_other_images(draw):
    model = mujoco.MjModel.from_xml_string(WALLS)
    alone = draw(model, SIZE, Stream.DEPTH)
    together = draw(model, SIZE, Stream.RGB | Stream.DEPTH | Stream.SEGMENTED)
    np.testing.assert_array_equal(alone.depth, together.depth)
    assert alone.rgb is None
    assert alone.labels is None
