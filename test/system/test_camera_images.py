"""What the images show, as somebody sees it who knows only the messages."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from simulation.rendering.screens import orthographic
from std_msgs.msg import String

from .cameras import SMALL, STILL, first, first_image, first_info, images, world_with
from .harness import Client, seconds, wait_until

pytestmark = pytest.mark.usefixtures('graphics')
SPOTS = [(x, y) for x in (-0.3, 0.0, 0.28) for y in (-0.25, 0.0, 0.3)]
"""Right and down, 1 m ahead of the camera; balls lie on the rays to them."""
BALLS = ''.join(
    f'<geom name="ball{z}" size="{0.01 * z}" pos="{x * z} {-y * z} {-z}"/>'
    for z, (x, y) in enumerate(SPOTS, start=1)
)
CAMERAS = {
    'fovy': 'fovy="50"',
    'lens': 'sensorsize="0.036 0.024" focal="0.03 0.022" principal="0.002 -0.001"',
}
SIZES = {'wide': (320, 200), 'high': (200, 300), 'square': (240, 240)}
NAMES = [f'{camera}_{size}' for camera in CAMERAS for size in SIZES]
SPOTTED = f"""
<mujoco>
  <visual><map znear="0.01"/></visual>
  <worldbody>
    <body pos="1 2 3" euler="30 40 50">
      {BALLS}
      {''.join(f'<camera name="{name}" {CAMERAS[name[:4]]} resolution="9 6"/>' for name in NAMES)}
    </body>
  </worldbody>
</mujoco>
"""
WALLS = """
<mujoco>
  <statistic extent="1"/>
  <visual><map znear="0.01" zfar="50"/></visual>
  <worldbody>
    <camera name="eye"/>
    <geom name="near" type="box" size="0.05 0.3 1e-5" pos="-0.15 0 -0.4"/>
    <body name="rack"><geom type="box" size="0.3 2 1e-5" pos="0 0 -2"/></body>
    <geom name="far" type="box" size="1 9 1e-5" pos="2.5 0 -9"/>
  </worldbody>
</mujoco>
"""
EYE = {'width': 160, 'height': 120, 'stream_type': 7}


@pytest.fixture
def see(share):
    """`see(model, **cameras)`: a client of a running server with these cameras."""

    def see(xml: str, **cameras: dict[str, Any]) -> Client:
        base = {'mujoco_xml': SPOTTED, 'MujocoPlugins': '[]'}
        _, client = share(base, given=world_with(xml, **cameras))
        assert client.pause(False).success
        return client

    return see


SPOTTERS = {
    name: dict(zip(('width', 'height'), SIZES[name[5:]], strict=True), stream_type=4)
    for name in NAMES
}


def test_a_known_point_is_where_the_camera_data_project_it(see):
    client = see(SPOTTED, **SPOTTERS)
    for name in NAMES:
        ids = first_image(client, f'/cameras/{name}/segmented/ids')
        info = first_info(client, f'/cameras/{name}/camera_info')
        p, checked = np.array(info.p).reshape(3, 4), 0
        for z, (x, y) in enumerate(SPOTS, start=1):
            u, v, w = p @ [x * z, y * z, z, 1]
            u, v = u / w, v / w
            if 5 < u < info.width - 6 and 5 < v < info.height - 6:
                rows, columns = np.nonzero(ids == z)
                assert abs(columns.mean() - u) < 0.5, (name, z)
                assert abs(rows.mean() - v) < 0.5, (name, z)
                checked += 1
        assert checked >= 5, name


@pytest.mark.slow
def test_the_camera_data_are_those_of_a_pinhole_without_distortion(see):
    client = see(SPOTTED, **SPOTTERS)
    for name in NAMES:
        info = first_info(client, f'/cameras/{name}/camera_info')
        k = np.array(info.k).reshape(3, 3)
        assert (info.width, info.height) == SIZES[name[5:]]
        assert info.header.frame_id == f'{name}_optical_frame'
        assert info.distortion_model == 'plumb_bob'
        assert list(info.d) == [0.0] * 5
        np.testing.assert_array_equal(np.reshape(info.r, (3, 3)), np.eye(3))
        np.testing.assert_array_equal(np.reshape(info.p, (3, 4)), np.c_[k, np.zeros(3)])
        assert (info.binning_x, info.binning_y, info.roi.width) == (0, 0, 0)
        if name.startswith('fovy'):
            focal = info.height / 2 / np.tan(np.radians(25))
            centre = (info.width - 1) / 2, (info.height - 1) / 2
            np.testing.assert_allclose(
                [k[0, 0], k[1, 1], k[0, 2], k[1, 2]], [focal] * 2 + [*centre]
            )


@pytest.mark.slow
def test_the_data_of_an_orthographic_camera_say_that_it_is_not_calibrated(see):
    parallel = STILL.replace('name="top"', f'name="top" fovy="4" {orthographic()}')
    client = see(parallel, top={})
    info = first_info(client, '/cameras/top/camera_info')
    assert (info.width, info.height) == (SMALL['width'], SMALL['height'])
    assert (list(info.k), list(info.p)) == ([0.0] * 9, [0.0] * 12)


@pytest.mark.slow
def test_depth_is_that_of_the_walls_in_metres(see):
    client = see(WALLS, eye=EYE)
    message = first(images(client, '/cameras/eye/depth'))
    ids = first_image(client, '/cameras/eye/segmented/ids')
    assert (message.encoding, message.step) == ('32FC1', 4 * 160)
    assert len(message.data) == 4 * 160 * 120
    depth = np.frombuffer(bytes(message.data), '<f4').reshape(120, 160)
    for label, distance in [(1, 0.4), (2, 9.0), (3, 2.0)]:
        seen = depth[ids == label]
        assert len(seen) > 100
        np.testing.assert_allclose(seen, distance, atol=1e-3)
    assert np.isposinf(depth[ids == 0]).all()


@pytest.mark.slow
def test_segmentation_tells_three_things_apart_by_the_table(see):
    client = see(WALLS, eye=EYE)
    ids = first_image(client, '/cameras/eye/segmented/ids')
    colors = first_image(client, '/cameras/eye/segmented')
    labels = client.collect(String, '/cameras/eye/segmented/labels', latched=True)
    rows = json.loads(first(labels, 'the table of labels').data)

    assert set(np.unique(ids)) == {0, 1, 2, 3}
    assert rows == [
        {'type': 'background', 'name': ''},
        {'type': 'geom', 'name': 'near', 'body': 'world'},
        {'type': 'geom', 'name': 'far', 'body': 'world'},
        {'type': 'geom', 'name': 'unnamed_geom_2', 'body': 'rack'},
    ]
    shades = [np.unique(colors[ids == label], axis=0) for label in range(4)]
    assert [len(shade) for shade in shades] == [1] * 4, 'one colour for each'
    assert shades[0].tolist() == [[0, 0, 0]]
    assert len(np.unique(np.concatenate(shades), axis=0)) == 4
    assert rows[ids[60, 25]]['name'] == 'near', 'left of the middle'


@pytest.mark.slow
def test_colours_can_be_the_labels_themselves(see):
    count = 300
    many = ''.join(f'<geom size="0.01" pos="{i} 9 9"/>' for i in range(count - 1))
    xml = WALLS.replace('<camera', f'{many}<camera')
    client = see(xml, eye={**EYE, 'use_segid': True})
    colors = first_image(client, '/cameras/eye/segmented').astype(int)
    ids = first_image(client, '/cameras/eye/segmented/ids')
    assert ids.max() > 255
    np.testing.assert_array_equal(colors @ [1, 256, 65536], ids)


@pytest.mark.slow
def test_all_images_of_a_moment_show_the_same(see):
    """A ball that moves fast: depth, labels and colour have it at the same place."""
    xml = """
    <mujoco>
      <option timestep="0.002" gravity="1 0 0"/>
      <worldbody>
        <light/><camera name="eye"/>
        <body pos="-1 0 -3"><joint type="slide" axis="1 0 0"/><geom size="0.3"/></body>
      </worldbody>
    </mujoco>
    """
    client = see(xml, eye={**EYE, 'frequency': 30.0})
    names = ('depth', 'segmented', 'segmented/ids')
    came = {name: images(client, f'/cameras/eye/{name}') for name in names}

    def by_stamp() -> list[dict[float, Any]]:
        return [{seconds(m.header.stamp): m for m in messages} for messages in came.values()]

    def shared() -> set[float]:
        return set.intersection(*map(set, by_stamp()))

    wait_until(lambda: len(shared()) > 4, 'images of the same moments')
    for stamp in shared():
        depth, colors, ids = (bytes(messages[stamp].data) for messages in by_stamp())
        there = np.frombuffer(ids, np.int32) == 1
        assert there.any()
        np.testing.assert_array_equal(np.isfinite(np.frombuffer(depth, np.float32)), there)
        np.testing.assert_array_equal(np.frombuffer(colors, np.uint8).reshape(-1, 3).any(1), there)
