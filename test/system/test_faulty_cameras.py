"""Cameras that cannot be, and servers without OpenGL."""

from __future__ import annotations

import re

import pytest
from rclpy.parameter import Parameter

from mujoco_ros_py.simulation.rendering import GRAPHICS_PACKAGES

from .cameras import STILL, configs, first_image, first_info, images, topics, wait_for_more
from .faults import log_entries
from .harness import PENDULUM, Client, refusal_at_start, wait_until
from .plugin_site import PluginSite, as_text, plugin

pytestmark = pytest.mark.slow

NO_GL = {'__EGL_VENDOR_LIBRARY_DIRS': '/nonexistent'}
BAD = {
    'stream_type': (8, 'stream_type must be at least 1 and at most 7, got 8'),
    'frequency': (-5.0, 'frequency must be greater than 0, got -5'),
    'width': (-1, 'width must be at least 0 and at most 65536, got -1'),
    'height': ('high', "height must be a whole number, got 'high'"),
    'jpeg_quality': (101, 'jpeg_quality must be at least 1 and at most 100, got 101'),
    'name_rgb': ('', 'name_rgb must not be empty'),
    'use_segid': (1, 'use_segid must be true or false, got 1'),
    'colour': (True, "unknown parameter 'colour'"),
}
FRONT = '/cameras/front'


def test_a_value_that_no_camera_can_have_ends_the_start_with_one_clear_line(tmp_path, domain):
    given = {f'cam_config.front.{key}': value for key, (value, _) in BAD.items()}
    said = refusal_at_start(tmp_path, domain, {'mujoco_xml': STILL, **given})
    assert said.startswith('mujoco_server: cam_config.front')
    assert '\n' not in said
    assert any(reason in said for _, reason in BAD.values())


def set_camera(client: Client, **values: object) -> list[object]:
    return client.set_parameters(**{f'cam_config__front__{k}': v for k, v in values.items()})


@pytest.mark.usefixtures('graphics')
def test_a_value_that_no_camera_can_have_is_refused_at_run_time_with_the_reason(start):
    process, client = start({'mujoco_xml': STILL, **configs(front={})})
    for key, (value, reason) in BAD.items():
        if key in ('height', 'colour', 'use_segid'):
            continue
        (result,) = set_camera(client, **{key: value})
        assert not result.successful, key
        assert reason in result.reason
    (result,) = set_camera(client, height='high')
    assert not result.successful, 'another type'
    assert 'height' in result.reason
    kept = client.get_parameter('cam_config.front.height')
    assert (kept.type, kept.integer_value) == (Parameter.Type.INTEGER.value, 24)
    assert set_camera(client, width=16, height=9)[0].successful
    assert first_image(client, f'{FRONT}/rgb').shape == (24, 32, 3), 'until a reload'
    assert client.trigger('reload').success
    wait_until(lambda: first_image(client, f'{FRONT}/rgb').shape == (9, 16, 3), 'the new size')
    assert log_entries(process) == []


@pytest.mark.usefixtures('graphics')
def test_cameras_that_there_cannot_be_are_one_error_each_and_others_work(start):
    listed = """
    - {type: mujoco_ros_py/Cameras, name: text, cameras: everything that there is}
    - {type: mujoco_ros_py/Cameras, name: list, cameras: [front, top]}
    - type: mujoco_ros_py/Cameras
      cameras: {a: {}, b: {}, c: {}, front: {}, top: {width: 65536, height: 24}}
    """
    process, client = start({'mujoco_xml': STILL, 'MujocoPlugins': listed})
    assert first_image(client, f'{FRONT}/rgb').any()
    wait_until(lambda: len(log_entries(process)) == 4, 'errors', process=process)
    entries = log_entries(process)
    for said in (
        r"cam_config: unknown camera 'a'; known: front, top \(and 2 more\)$",
        r"'text'.* cannot be constructed: ConfigError: cameras must be a struct, got ",
        r"'list'.* cannot be constructed: ConfigError: cameras must be a struct, got ",
        r"camera 'top' is not published: images must be at most \d+ pixels .*got 65536 x 24",
    ):
        assert len([each for each in entries if re.search(said, each, re.MULTILINE)]) == 1, said
    assert topics(client) == {f'{FRONT}/rgb', f'{FRONT}/camera_info'}


def test_without_opengl_the_server_runs_and_ends_and_says_so_once_with_the_packages(
    start, tmp_path
):
    site = PluginSite(tmp_path)
    painter = as_text(plugin('Painter', 'painter'))
    parameters = {'mujoco_xml': STILL, 'render_backend': 'egl', 'MujocoPlugins': painter}
    process, client = start({**parameters, **configs(front={})}, **NO_GL, **site.environment)
    for _ in range(3):
        assert client.trigger('reload').success
    assert topics(client) == set()
    said = [line for line in process.lines if 'without cameras' in line]
    assert len(said) == 1
    assert said[0].startswith('[WARN]')
    assert 'no OpenGL (EGL: ' in said[0]
    assert 'OSMesa' not in said[0]
    assert GRAPHICS_PACKAGES in said[0]
    assert log_entries(process) == []
    assert client.trigger('reset').success
    wait_until(lambda: float(client.diagnostics()['simulation'][2]['time']) > 0, 'steps')
    assert set(site.names('load', 'reset', 'render')) == {'load painter', 'reset painter'}
    assert client.trigger('shutdown').success
    assert process.wait() == 0


def test_the_backends_that_were_tried_each_say_their_reason(start, broken_opengl):
    given = {'mujoco_xml': STILL, 'render_backend': 'auto', **configs(front={})}
    process, client = start(given, **broken_opengl)
    (said,) = [each for each in log_entries(process, 'WARN') if 'without cameras' in each]
    reasons = re.findall(r'(\w+): OSError: \S+/broken/lib(\w+)\.so', said)
    assert reasons == [('EGL', 'EGL'), ('OSMesa', 'OSMesa')]
    assert topics(client) == set()


@pytest.mark.usefixtures('graphics')
def test_a_reload_with_other_cameras_while_images_are_made(start):
    process, client = start({'mujoco_xml': STILL})
    came = images(client, f'{FRONT}/rgb')
    wait_for_more(came, process=process)
    other = STILL.replace('"top"', '"rear"').replace('"front"', '"side"')
    for xml, names in [(other, {'side', 'rear'}), (PENDULUM, set()), (STILL, {'front', 'top'})]:
        assert client.set_parameters(mujoco_xml=xml)[0].successful
        assert client.trigger('reload').success
        expected = {
            f'/cameras/{name}/{topic}' for name in names for topic in ('rgb', 'camera_info')
        }
        wait_until(lambda expected=expected: topics(client) == expected, f'cameras {names}')
        for name in names:
            info = first_info(client, f'/cameras/{name}/camera_info')
            assert info.header.frame_id == f'{name}_optical_frame'
    wait_for_more(came, process=process)
    assert log_entries(process) == []
    assert 'Traceback' not in process.output
