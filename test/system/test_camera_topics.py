"""Which topics there are, and what they are called."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image as Picture
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
from sensor_msgs.msg import CameraInfo, CompressedImage

from .cameras import (
    STILL,
    configs,
    first,
    first_image,
    first_info,
    images,
    pixels,
    topics,
    world_with,
)
from .faults import log_entries
from .harness import Client, wait_until
from .plugin_site import PluginSite

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
BITS = {1: {'rgb'}, 2: {'depth'}, 4: {'segmented', 'segmented/ids', 'segmented/labels'}}
MASKS = range(1, 8)


def world(*names: str) -> str:
    cameras = ''.join(f'<camera {f"""name="{name}" """ if name else ""}/>' for name in names)
    return f'<mujoco><worldbody><geom size="1" pos="0 0 -3"/>{cameras}</worldbody></mujoco>'


FRONT = {'mujoco_xml': STILL, 'MujocoPlugins': '[]', **configs(front={'width': 16})}


@pytest.fixture
def see(share):
    """`see(model, **cameras)`: a client of a running server with these cameras."""

    def see(xml: str, *plugins: Any, **cameras: dict[str, Any]) -> Client:
        _, client = share(FRONT, given=world_with(xml, *plugins, **cameras))
        assert client.pause(False).success
        return client

    return see


def test_each_mask_of_streams_has_exactly_its_topics(see):
    masks = {f'cam_{mask}': {'stream_type': mask} for mask in MASKS}
    expected = {
        f'/cameras/cam_{mask}/{topic}'
        for mask in MASKS
        for topic in {'camera_info'}.union(*(BITS[bit] for bit in BITS if mask & bit))
    }
    client = see(world(*masks), **masks)
    wait_until(lambda: topics(client) == expected, 'these topics alone')


def test_a_camera_without_configuration_publishes_colour_of_720_by_480(share):
    _, client = share(FRONT)
    info = first_info(client, '/cameras/top/camera_info')
    assert (info.width, info.height) == (720, 480)
    assert first_image(client, '/cameras/top/rgb').shape == (480, 720, 3)
    expected = {
        f'/cameras/{camera}/{topic}'
        for camera in ('front', 'top')
        for topic in ('rgb', 'camera_info')
    }
    wait_until(lambda: topics(client) == expected, 'these topics alone')


STEREO = """
<mujoco>
  <worldbody>
    <geom size="1" pos="0 0 -3"/>
    <camera name="left" resolution="64 48"/>
    <camera name="right" pos="0.1 0 0" resolution="64 48"/>
    <camera name="plain"/>
  </worldbody>
</mujoco>
"""


def test_images_have_the_resolution_of_the_camera_where_the_configuration_has_no_size(see):
    client = see(STEREO, right={'width': 0, 'height': 32})
    sizes = {'left': (64, 48), 'right': (64, 32), 'plain': (720, 480)}
    for camera, size in sizes.items():
        info = first_info(client, f'/cameras/{camera}/camera_info')
        assert (info.width, info.height) == size
    assert first_image(client, '/cameras/left/rgb').shape == (48, 64, 3)


def test_the_right_camera_of_a_stereo_pair_tells_the_distance_of_the_left_one(see):
    """Its P projects points in the frame of the left camera."""
    client = see(STEREO, right={'width': 0, 'height': 0, 'baseline': 0.1})
    left, right = (
        first_info(client, f'/cameras/{side}/camera_info').p.reshape(3, 4)
        for side in ('left', 'right')
    )
    point = np.array([0.3, -0.2, 2.0])
    u, v, w = right @ [*point, 1.0]
    seen = left[:, :3] @ (point - [0.1, 0.0, 0.0])
    assert [u / w, v / w] == pytest.approx((seen / seen[2])[:2].tolist())
    assert left[:, 3].tolist() == [0.0, 0.0, 0.0]


def test_cameras_without_a_name_count_and_odd_names_become_topics(see):
    cameras = {'unnamed_cam_0': {'width': 16}, '3rd-cam right': {'width': 8}}
    client = see(world('', '3rd-cam right'), **cameras)
    info = first_info(client, '/cameras/unnamed_cam_0/camera_info')
    assert (info.width, info.header.frame_id) == (16, 'unnamed_cam_0_optical_frame')
    info = first_info(client, '/cameras/_3rd_cam_right/camera_info')
    assert (info.width, info.header.frame_id) == (8, '3rd-cam right_optical_frame')


def test_topics_are_called_what_the_configuration_says_and_frames_carry_the_servers_prefix(start):
    names = {'name_rgb': 'image', 'name_depth': 'range', 'name_segment': 'things'}
    config = {'stream_type': 7, **names}
    _, client = start({
        'mujoco_xml': STILL, 'frame_prefix': 'robot1/',
        **configs(front={**config, 'topic': 'eyes/left'}, top={**config, 'topic': '/sky'}),
    }, '-r', '__ns:=/robot', node='/robot/mujoco_server')  # fmt: skip
    expected = {
        f'{base}/{topic}'
        for base in ('/robot/eyes/left', '/sky')
        for topic in ('image', 'range', 'things', 'things/ids', 'things/labels', 'camera_info')
    }

    def published():
        known = client.node.get_topic_names_and_types()
        return {topic for topic, _ in known if '/eyes/' in topic or topic.startswith('/sky')}

    wait_until(lambda: len(published()) >= len(expected), 'all topics')
    assert published() == expected
    image = first(images(client, '/sky/image'))
    assert pixels(image).any()
    info = first_info(client, '/sky/camera_info')
    assert image.header.frame_id == info.header.frame_id == 'robot1/top_optical_frame'


def test_without_rendering_there_are_no_topics_and_no_opengl(start):
    process, client = start({'mujoco_xml': STILL, 'render_offscreen': False, **configs(front={})})
    assert '0 of 0 plugins ready' in process.output
    assert topics(client) == set()
    assert client.trigger('reload').success
    assert topics(client) == set()
    assert 'rendering with' not in process.output
    assert 'ERROR' not in process.output


@pytest.mark.parametrize(
    ('listed', 'widths'),
    [
        ('[{type: mujoco_ros_py/Cameras, name: eyes}]', (16, 720)),
        (
            '[{type: mujoco_ros_py/Cameras, cameras: {front: {width: 8}, top: {width: 32}}}]',
            (8, 32),
        ),
        ('[{type: mujoco_ros_py/Cameras, name: 3d}]', (16, 720)),
    ],
    ids=['listed', 'listed with cameras', 'listed wrongly'],
)
def test_a_camera_is_published_once_whether_the_plugin_is_listed_or_not(share, listed, widths):
    _, client = share(FRONT, given={'MujocoPlugins': listed})
    expected = [f'/cameras/{camera}/camera_info' for camera in ('front', 'top')]
    infos = [images(client, topic, CameraInfo) for topic in expected]
    assert tuple(first(messages).width for messages in infos) == widths
    wait_until(lambda: publishers(client) == [1] * 4, 'one publisher of each topic')


def publishers(client: Client) -> list[int]:
    return [client.node.count_publishers(topic) for topic in topics(client)]


ROBOTS = """
<mujoco>
  <worldbody>
    <geom size="1" pos="0 0 -3"/><camera name="top"/>
    <body name="left/hand"><camera name="left/eye"/></body>
    <body name="right/hand"><camera name="right/eye"/></body>
  </worldbody>
</mujoco>
"""
CAM_WIDTHS = {'top': 24, 'left/eye': 16, 'right/eye': 32}
IN_GROUPS = """
- {namespace: left, plugins: [{type: mujoco_ros_py/Cameras}]}
- {namespace: right, plugins: [{type: mujoco_ros_py/Cameras, cameras: {eye: {width: 8}}}]}
"""


@pytest.mark.parametrize(
    ('listed', 'expected'),
    [
        (
            IN_GROUPS,
            {'/left/cameras/eye': 16, '/right/cameras/eye': 8, '/cameras/top': 24},
        ),
        (
            IN_GROUPS.splitlines()[1],
            {'/left/cameras/eye': 16, '/cameras/right_eye': 32, '/cameras/top': 24},
        ),
    ],
    ids=['both robots', 'one robot'],
)
def test_a_robots_cameras_are_in_the_namespace_of_its_group(share, listed, expected):
    widths = {f'cam_config.{name}.width': w for name, w in CAM_WIDTHS.items()}
    base = {'mujoco_xml': ROBOTS, 'MujocoPlugins': '[]', **widths}
    process, client = share(base, given={'MujocoPlugins': listed})
    infos = {base: first_info(client, f'{base}/camera_info') for base in expected}
    assert {base: info.width for base, info in infos.items()} == expected
    assert infos['/left/cameras/eye'].header.frame_id == 'left/eye_optical_frame'

    def published() -> set[str]:
        return {topic for topic in topics(client, below='/') if '/cameras/' in topic}

    names = {f'{base}/{topic}' for base in expected for topic in ('rgb', 'camera_info')}
    wait_until(lambda: published() == names, 'these topics alone')
    assert 'ERROR' not in process.output


@pytest.mark.parametrize('eval_mode', [False, True])
def test_a_users_plugin_loads_by_itself_where_it_declares_that_but_not_in_eval_mode(
    start, tmp_path, eval_mode
):
    site = PluginSite(tmp_path)
    environment = {**site.environment, **site.describe_instead()}
    file = site.folder / 'share/recording/plugins.xml'
    declared = '"mujoco_ros_py::MujocoPlugin"><automatic with="cameras"/></class>'
    listed, declared = (
        f'type="recording:Probe" base_class_type="mujoco_ros_py::MujocoPlugin"{end}'
        for end in ('/>', '><automatic with="cameras"/></class>')
    )
    assert listed in file.read_text()
    file.write_text(file.read_text().replace(listed, declared))
    protection = {'eval_mode': True, 'admin_hash': 'x'} if eval_mode else {}
    parameters = {'MujocoPlugins': '[]', **configs(front={'width': 16}), **protection}
    _, client = start({'mujoco_xml': STILL, **parameters}, **environment)
    assert first(images(client, '/cameras/front/camera_info', CameraInfo)).width == 16

    def offered() -> bool:
        """Whether the plugin's service is there."""
        return '/mujoco_server/data' in dict(client.node.get_service_names_and_types())

    if eval_mode:
        assert not offered()
    else:
        wait_until(offered, "the plugin's service")


def test_a_second_plugin_publishes_no_camera_again(share):
    """A node hears of a server's publishers in their order: with the last, it knows all others."""
    types = {'a': 'Cameras', 'b': 'Cameras', 'c': 'EmergencyStop'}
    listed = [{'type': f'mujoco_ros_py/{type_}', 'name': name} for name, type_ in types.items()]
    process, client = share(FRONT, given={'MujocoPlugins': json.dumps(listed)})
    first(images(client, '/cameras/front/camera_info', CameraInfo))
    last = '/c/active'
    wait_until(lambda: client.node.count_publishers(last), 'the publisher of the last plugin')
    assert publishers(client) == [1] * 4
    output = process.output
    assert "camera 'front' is not published: /cameras/front/camera_info is already" in output
    assert "of camera 'front' of plugin 'a'" in output


def test_opengl_starts_with_the_first_camera_and_the_log_says_once_which_it_is(start, graphics):
    process, client = start({'mujoco_xml': world(), 'unpause': True})
    assert 'rendering with' not in process.output
    assert '0 of 0 plugins ready' in process.output
    client.set_parameters(mujoco_xml=STILL)
    for _ in range(2):
        assert client.trigger('reload').success
    (said,) = [entry for entry in log_entries(process, 'INFO') if 'rendering' in entry]
    assert said.rstrip().endswith(f': rendering with {graphics.name}')
    assert first_image(client, '/cameras/top/rgb').any()


def test_what_comes_with_an_image_is_reliable_and_labels_are_kept_for_late_comers(see):
    client = see(STILL, front={'stream_type': 7, 'compressed': True})
    stream = ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE
    names = {'camera_info', 'rgb/compressed', 'segmented/compressed'}.union(*BITS.values())
    expected = {f'/cameras/front/{name}': stream for name in names}
    latched = ReliabilityPolicy.RELIABLE, DurabilityPolicy.TRANSIENT_LOCAL
    expected['/cameras/front/segmented/labels'] = latched

    def offered() -> dict[str, object]:
        of = client.node.get_publishers_info_by_topic
        names = topics(client, '/cameras/front/')
        qos = {topic: info.qos_profile for topic in names for info in of(topic)}
        return {topic: (each.reliability, each.durability) for topic, each in qos.items()}

    wait_until(lambda: len(offered()) >= len(expected), 'all topics')
    assert offered() == expected


def test_compressed_images_are_the_raw_ones_as_image_transport_writes_them(see):
    config = {'width': 200, 'height': 200, 'stream_type': 5, 'compressed': True}
    cameras = {'front': {**config, 'jpeg_quality': 100}, 'top': {**config, 'jpeg_quality': 10}}
    client = see(STILL, **cameras)
    jpeg, worse = (
        first(images(client, f'/cameras/{name}/rgb/compressed', CompressedImage))
        for name in cameras
    )
    assert client.node.count_subscribers('/cameras/front/rgb') == 0, 'it comes by itself'
    raw = first_image(client, '/cameras/front/rgb').astype(int)
    segmented = first_image(client, '/cameras/front/segmented')
    png = first(images(client, '/cameras/front/segmented/compressed', CompressedImage))

    assert jpeg.format == 'rgb8; jpeg compressed bgr8'
    assert png.format == 'rgb8; png compressed bgr8'
    assert jpeg.header.frame_id == png.header.frame_id == 'front_optical_frame'
    photo, labels = (Picture.open(io.BytesIO(bytes(message.data))) for message in (jpeg, png))
    assert (photo.format, labels.format) == ('JPEG', 'PNG')
    assert np.abs(np.asarray(photo) - raw).mean() < 5, 'red, green and blue in their order'
    np.testing.assert_array_equal(np.asarray(labels), segmented)
    assert len(worse.data) < len(jpeg.data) / 2, 'a lower quality makes smaller pictures'
