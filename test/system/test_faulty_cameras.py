"""Cameras that cannot be, and servers without OpenGL."""

from __future__ import annotations

import re

import pytest
from rclpy.parameter import Parameter

from mujoco_ros_py.rendering import GRAPHICS_PACKAGES

from .cameras import STILL, configs, first_image, first_info, images, topics, wait_for_more
from .faults import log_entries
from .harness import PENDULUM, Client, refusal_at_start, wait_until
from .plugin_site import PluginSite, as_text, plugin

pytestmark = pytest.mark.slow

NO_GL = {'__EGL_VENDOR_LIBRARY_DIRS': '/nonexistent'}
BAD = {
    'stream_type': (8, 'stream_type must be at least 1 and at most 7, got 8'),
    'frequency': (-5.0, 'frequency must be greater than 0, got -5'),
    'width': (0, 'width must be at least 1 and at most 65536, got 0'),
    'height': ('high', "height must be a whole number, got 'high'"),
    'jpeg_quality': (101, 'jpeg_quality must be at least 1 and at most 100, got 101'),
    'name_rgb': ('', 'name_rgb must not be empty'),
    'use_segid': (1, 'use_segid must be true or false, got 1'),
    'colour': (True, "unknown parameter 'colour'"),
}
FRONT = '/cameras/front'


@pytest.mark.parametrize('key', BAD)
def test_a_value_that_no_camera_can_have_ends_the_start_with_one_clear_line(tmp_path, domain, key):
    value, reason = BAD[key]
    said = refusal_at_start(
        tmp_path, domain, {'mujoco_xml': STILL, f'cam_config.front.{key}': value}
    )
    assert said.startswith('mujoco_server: cam_config.front')
    assert reason in said


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
    assert set_camera(client, width=16, height=9)[0].successful
    assert first_image(client, f'{FRONT}/rgb').shape == (24, 32, 3), 'until a reload'
    assert client.trigger('reload').success
    wait_until(lambda: first_image(client, f'{FRONT}/rgb').shape == (9, 16, 3), 'the new size')
    assert log_entries(process) == []


@pytest.mark.usefixtures('graphics')
def test_a_value_of_another_type_is_refused_at_run_time(start):
    _, client = start({'mujoco_xml': STILL, **configs(front={})})
    (result,) = set_camera(client, height='high')
    assert not result.successful
    assert 'height' in result.reason
    assert client.get_parameter('cam_config.front.height').integer_value == 24
    assert Parameter.Type.INTEGER.value == client.get_parameter('cam_config.front.height').type


@pytest.mark.usefixtures('graphics')
def test_a_camera_that_the_model_has_not_is_an_error_that_names_those_it_has(start):
    process, client = start({'mujoco_xml': STILL, **configs(wrist={}, front={})})
    (entry,) = log_entries(process)
    assert "cam_config: unknown camera 'wrist'; known: front, top" in entry
    assert first_image(client, f'{FRONT}/rgb').any()
    assert '0 of 0 plugins ready' in process.output


@pytest.mark.usefixtures('graphics')
def test_many_cameras_that_the_model_has_not_are_one_error(start):
    process, _ = start({'mujoco_xml': STILL, **configs(a={}, b={}, c={}, front={})})
    (entry,) = log_entries(process)
    assert "cam_config: unknown camera 'a'; known: front, top (and 2 more)" in entry


@pytest.mark.usefixtures('graphics')
@pytest.mark.parametrize('cameras', ['everything that there is', '[front, top]'])
def test_cameras_that_are_no_struct_are_one_error(start, cameras):
    listed = f'[{{type: mujoco_ros_py/Cameras, cameras: {cameras}}}]'
    process, _ = start({'mujoco_xml': STILL, 'MujocoPlugins': listed})
    (entry,) = log_entries(process)
    assert 'cannot be made: ConfigError: cameras must be a struct, got ' in entry


@pytest.mark.usefixtures('graphics')
def test_a_camera_larger_than_opengl_allows_is_left_out_and_others_work(start):
    process, client = start({'mujoco_xml': STILL, **configs(front={}, top={'width': 65536})})
    (entry,) = log_entries(process)
    assert re.search(r"camera 'top' is left out: images can be \d+ pixels .*got 65536 x 24", entry)
    assert first_image(client, f'{FRONT}/rgb').any()
    assert topics(client) == {f'{FRONT}/rgb', f'{FRONT}/camera_info'}


def test_without_opengl_the_server_runs_and_says_so_once_with_the_packages(start):
    process, client = start(
        {'mujoco_xml': STILL, 'render_backend': 'egl', **configs(front={})}, **NO_GL
    )
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


@pytest.mark.parametrize(
    ('backend', 'tried'),
    [('egl', ['EGL']), ('osmesa', ['OSMesa']), ('auto', ['EGL', 'OSMesa'])],
)
def test_only_the_backends_that_were_asked_for_are_tried_and_each_says_its_reason(
    start, broken_opengl, backend, tried
):
    process, client = start(
        {'mujoco_xml': STILL, 'render_backend': backend, **configs(front={})}, **broken_opengl
    )
    (said,) = [each for each in log_entries(process, 'WARN') if 'without cameras' in each]
    reasons = re.findall(r'(\w+): OSError: \S+/broken/lib(\w+)\.so', said)
    assert reasons == [(each, each) for each in tried]
    assert topics(client) == set()


def test_without_opengl_a_plugin_that_paints_is_loaded_and_never_called(start, tmp_path):
    site = PluginSite(tmp_path)
    parameters = {'mujoco_xml': STILL, 'render_backend': 'egl'}
    parameters['MujocoPlugins'] = as_text(plugin('Painter', 'painter'))
    _, client = start(parameters, **NO_GL, **site.environment)
    assert client.trigger('reset').success
    assert site.names('load', 'reset', 'render') == ['load painter', 'reset painter']


def test_without_opengl_the_server_ends_well(start):
    process, client = start({'mujoco_xml': STILL, 'render_backend': 'egl'}, **NO_GL)
    assert client.trigger('shutdown').success
    assert process.wait() == 0


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
