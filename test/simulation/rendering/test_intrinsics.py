from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.simulation.rendering import Stream, camera_name, intrinsics

from .screens import orthographic

CAMERAS = {
    'field of view': 'fovy="55"',
    'square pixels': 'sensorsize="0.036 0.024" focal="0.03 0.03"',
    'oblong pixels, off centre': (
        'sensorsize="0.036 0.024" focal="0.03 0.021" principal="0.003 -0.002"'
    ),
}
SIZES = [(320, 240), (240, 320), (300, 300)]
SPOTS = [(x, y) for x in (-0.35, -0.1, 0.0, 0.3) for y in (-0.3, 0.0, 0.15, 0.35)]
"""Right and down, 1 m ahead of the camera."""


def world_with_spots(camera: str) -> mujoco.MjModel:
    """A crooked camera, and a small ball on the ray to each spot, at different distances."""
    balls = ''.join(
        f'<geom size="{0.008 * z}" pos="{x * z} {-y * z} {-z}"/>'
        for z, (x, y) in enumerate(SPOTS, start=1)
    )
    return mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <visual><map znear="0.01"/></visual>
      <worldbody>
        <body pos="0.4 -1 2" euler="40 -20 130"><camera {camera} resolution="30 20"/>{balls}</body>
      </worldbody>
    </mujoco>
    """)


def projected(model: mujoco.MjModel, data: mujoco.MjData, k: np.ndarray) -> np.ndarray:
    """Pixel of each geom's centre, by the optical frame."""
    axes = data.cam_xmat[0].reshape(3, 3) * [1, -1, -1]
    points = (data.geom_xpos - data.cam_xpos[0]) @ axes
    pixels = points @ k.T
    return pixels[:, :2] / pixels[:, 2:]


def seen(labels: np.ndarray, geom: int) -> np.ndarray:
    """Middle of a geom's pixels."""
    rows, columns = np.nonzero(labels == geom + 1)
    assert len(rows) > 3, f'ball {geom} is hardly to be seen'
    return np.array([columns.mean(), rows.mean()])


@pytest.mark.parametrize('size', SIZES, ids=str)
@pytest.mark.parametrize('camera', CAMERAS.values(), ids=CAMERAS)
def test_a_point_is_drawn_where_the_matrix_projects_it(draw, camera, size):
    model = world_with_spots(camera)
    frame = draw(model, size, Stream.SEGMENTED)

    expected = projected(model, frame.data, intrinsics(model, 0, *size))

    inside = [
        i for i, (u, v) in enumerate(expected) if 5 < u < size[0] - 6 and 5 < v < size[1] - 6
    ]
    assert len(inside) >= 6, expected
    errors = np.array([seen(frame.labels, i) - expected[i] for i in inside])
    assert np.abs(errors).max() < 0.5, errors
    assert np.abs(errors.mean(axis=0)).max() < 0.2, 'all are off to one side'


def test_a_field_of_view_makes_square_pixels_around_the_middle():
    model = world_with_spots('fovy="90"')
    np.testing.assert_allclose(
        intrinsics(model, 0, 640, 480), [[240, 0, 319.5], [0, 240, 239.5], [0, 0, 1]]
    )


@pytest.mark.parametrize('sensor', ['', CAMERAS['square pixels']], ids=['fovy', 'sensor'])
def test_an_orthographic_camera_has_no_matrix(sensor):
    resolution = 'resolution="30 20"' if sensor else 'fovy="4"'
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody><camera {orthographic()} {sensor} {resolution}/></worldbody></mujoco>'
    )
    np.testing.assert_array_equal(intrinsics(model, 0, 640, 480), np.zeros((3, 3)))


def test_names_are_those_of_the_model_or_count_the_cameras():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><camera/><camera name="wrist"/><camera/></worldbody></mujoco>'
    )
    names = [camera_name(model, camera) for camera in range(model.ncam)]
    assert names == ['unnamed_cam_0', 'wrist', 'unnamed_cam_2']
