"""What cameras show, by the services of the original server."""

from __future__ import annotations

import pytest

pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')

from mujoco_ros_msgs.msg import BoolOption, CameraOptions
from mujoco_ros_msgs.srv import GetCameraOptions, SetCameraOptions

from .cameras import STILL, configs, images, pixels
from .harness import PENDULUM, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
SEEN = {'mujoco_xml': STILL, 'unpause': False, **configs(front={}, top={})}
BLUE = 2
SHOWN, HIDDEN = [1, 1, 1, 0, 0, 0], [0, 1, 1, 0, 0, 0]


def get(client, name: str, secret: str = ''):
    request = GetCameraOptions.Request(camera_name=name, admin_hash=secret)
    return client.call(GetCameraOptions, 'get_camera_options', request)


def change(client, name: str, secret: str = '', **options):
    request = SetCameraOptions.Request(
        camera_name=name, admin_hash=secret, camera_options=CameraOptions(**options)
    )
    return client.call(SetCameraOptions, 'set_camera_options', request)


def shows_the_ball(image) -> bool:
    height, width, _ = (seen := pixels(image)).shape
    return bool(seen[height // 2, width // 2, BLUE] > 0)


def test_a_camera_hides_a_group_at_once_also_in_a_pause_and_after_a_reload(share):
    _, client = share(SEEN)
    front, top = images(client, 'cameras/front/rgb'), images(client, 'cameras/top/rgb')
    wait_until(lambda: front and top, 'images of both cameras')
    assert shows_the_ball(front[-1])
    answer = change(client, 'front', geom_groups=[0])
    assert (answer.success, answer.status_message) == (
        True, "groups of geoms of camera 'front' set",
    )  # fmt: skip
    wait_until(lambda: not shows_the_ball(front[-1]), 'an image without the ball')
    assert shows_the_ball(top[-1])
    assert list(get(client, 'front').camera_options.geom_groups) == HIDDEN
    assert list(get(client, 'top').camera_options.geom_groups) == SHOWN
    assert client.trigger('reload').success
    count = len(front)
    wait_until(lambda: len(front) > count, 'an image after the reload')
    assert not shows_the_ball(front[-1])
    assert change(client, '', geom_groups=[1]).success
    wait_until(lambda: shows_the_ball(front[-1]), 'an image with the ball')


def test_options_have_mujocos_names_and_each_is_made_or_refused_by_itself(share):
    _, client = share(SEEN)
    told = get(client, 'top').camera_options
    elements = {each.name: each.active for each in told.render_elements}
    effects = {each.name: each.active for each in told.render_effects}
    assert (elements['Texture'], elements['Joint']) == (True, False)
    assert (effects['Shadow'], effects['Skybox']) == (False, True)
    answer = change(
        client,
        'top',
        render_elements=[BoolOption(name='Joint', active=True), BoolOption(name='Joints')],
        render_effects=[BoolOption(name='Wireframe', active=True)],
        tendon_groups=[1] * 7,
    )
    assert not answer.success
    assert "unknown render element 'Joints' (did you mean 'Joint'?)" in answer.status_message
    assert 'tendon_groups must have at most 6 entries, got 7' in answer.status_message
    many = change(client, 'top', render_effects=[BoolOption(name='Fog')] * 101)
    assert 'render_effects must have at most 100 entries, got 101' in many.status_message
    told = get(client, 'top').camera_options
    assert {each.name: each.active for each in told.render_elements}['Joint']
    assert {each.name: each.active for each in told.render_effects}['Wireframe']
    assert list(told.tendon_groups) == SHOWN


def test_a_camera_that_is_not_there_is_refused_with_those_that_are(share):
    _, client = share(SEEN, reload=False)
    for answer in (get(client, 'side'), change(client, 'side', geom_groups=[0])):
        assert not answer.success
        assert "unknown camera 'side'" in answer.status_message
        assert 'known: front, top' in answer.status_message


def test_a_model_without_cameras_has_no_options(start):
    _, client = start({'mujoco_xml': PENDULUM, 'unpause': False})
    answer = get(client, '')
    assert not answer.success
    assert 'known: none' in answer.status_message


def test_in_eval_mode_they_need_the_hash(start):
    secret = 'swordfish-8271'
    _, client = start({'mujoco_xml': STILL, 'eval_mode': True, 'admin_hash': secret})
    for ask in (get, change):
        assert not ask(client, 'front').success
        assert not ask(client, 'front', 'wrong').success
        assert ask(client, 'front', secret).success
