"""When images come, and when none is made."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from sensor_msgs.msg import CameraInfo, CompressedImage

from .cameras import WORLD, first, images, stamps, wait_for_more, world_with
from .harness import Client, seconds, wait_for_rate, wait_until
from .plugin_site import PluginSite, plugin

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
FRONT = '/cameras/front'
US = 1e-6


PAINTER = plugin('Painter', 'counter')


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    return PluginSite(tmp_path_factory.mktemp('painter'))


@pytest.fixture
def see(share, site):
    """`see(*plugins, realtime=1.0, **cameras)`: a client of a paused server with these cameras."""

    def see(*plugins: Any, realtime: float = 1.0, **cameras: dict[str, Any]) -> Client:
        base = {'mujoco_xml': WORLD, 'MujocoPlugins': '[]', 'realtime': 1.0}
        given = {**world_with(WORLD, *plugins, **cameras), 'realtime': realtime}
        return share(base, given=given, **site.environment)[1]

    return see


def test_the_first_image_is_at_zero_after_a_reset_too_and_the_others_are_on_the_beat(see):
    client = see(realtime=0.2, front={'frequency': 33.0})
    came = images(client, f'{FRONT}/rgb')
    first(came)
    assert client.pause(False).success

    def on_time() -> int:
        """How many of the newest twelve are; other work may hold some of them up."""
        newest = pairwise(stamps(came[-13:]))
        return sum(b - a <= 1 / 33.0 + 0.002 + US for a, b in newest)

    wait_until(lambda: on_time() >= 10, 'images on time')
    times = list(dict.fromkeys(stamps(came)))  # the first may have come twice in the pause
    assert times[0] == 0
    assert all((time + US) % (1 / 33.0) < 0.002 for time in times)

    assert client.pause(True).success
    assert client.trigger('reset').success
    wait_until(lambda: seconds(came[-1].header.stamp) == 0, 'the image of time zero')
    before = len(came)
    assert client.pause(False).success
    wait_until(lambda: stamps(came)[-1] > 0, 'the image after it')
    assert min(time for time in stamps(came)[before:] if time > 0) >= 1 / 33.0 - US


def test_two_cameras_of_one_frequency_have_the_same_stamps_whenever_they_are_subscribed(see):
    client = see(realtime=0.2, front={'frequency': 30.0}, top={'frequency': 30.0})
    assert client.pause(False).success
    left = images(client, f'{FRONT}/rgb')
    wait_until(lambda: len(left) > 3, 'images of the first')
    right = images(client, '/cameras/top/rgb')
    wait_until(lambda: len(right) > 5 and stamps(left)[-1] > stamps(right)[5], 'of both')
    assert set(stamps(right)[:6]) <= set(stamps(left))


RAW = ('rgb', 'depth', 'segmented', 'segmented/ids')
COMPRESSED = ('rgb/compressed', 'segmented/compressed')


def test_images_raw_and_compressed_and_camera_data_have_the_same_stamps(see):
    client = see(front={'stream_type': 7, 'compressed': True, 'frequency': 30.0})
    assert client.pause(False).success
    infos = images(client, f'{FRONT}/camera_info', CameraInfo)
    came = [images(client, f'{FRONT}/{name}') for name in RAW]
    came += [images(client, f'{FRONT}/{name}', CompressedImage) for name in COMPRESSED]
    wait_until(lambda: all(len(messages) > 10 for messages in came), 'images')
    for messages in came:
        times = stamps(messages[2:10])
        assert len(set(times)) == len(times)
        wait_until(lambda: set(times) <= set(stamps(infos)), 'the data of these')  # noqa: B023


def test_a_subscriber_that_comes_in_a_pause_gets_an_image_of_that_moment(see):
    client = see(front={'stream_type': 3})
    assert client.trigger('step').success
    for topic in ('rgb', 'depth', 'rgb'):  # the one before may still be on its way
        came = images(client, f'{FRONT}/{topic}')
        wait_until(lambda came=came: 0.002 in stamps(came), f'the present image on {topic}')


def test_images_are_made_while_somebody_subscribes_and_no_longer(see, site):
    client = see(PAINTER, front={'frequency': 50.0})
    site.forget()
    assert client.pause(False).success
    infos = images(client, f'{FRONT}/camera_info', CameraInfo)
    wait_for_more(infos)
    assert min(b - a for a, b in pairwise(stamps(infos))) >= 0.02 - US
    assert site.events('render') == [], 'camera data need no image'
    assert client.trigger('reset').success

    watcher = Client(client.node.context.get_domain_id())
    try:
        wait_for_more(images(watcher, f'{FRONT}/rgb'))
        assert site.events('render')
    finally:
        watcher.close()
    wait_until(lambda: client.node.count_subscribers(f'{FRONT}/rgb') == 0, 'nobody there')
    wait_for_more(infos, 10)
    before = len(site.events('render'))
    wait_for_more(infos, 20)
    assert len(site.events('render')) == before


def test_cameras_have_their_own_rates_and_one_that_nobody_watches_costs_no_image(see, site):
    client = see(PAINTER, realtime=0.5, front={'frequency': 20.0}, top={'frequency': 40.0})
    came = images(client, f'{FRONT}/rgb')
    first(came)
    site.forget()
    assert client.pause(False).success
    wait_for_more(came, 10)
    seen = {round(time, 6) for time in stamps(came) if time}
    painted = {round(event.time, 6) for event in site.events('render')}
    assert seen <= painted
    assert min(b - a for a, b in pairwise(sorted(painted))) >= 0.05 - US
    faster = images(client, '/cameras/top/rgb')
    for messages, rate_hz in [(came, 20.0), (faster, 40.0)]:
        wait_for_rate(messages, lambda image: image.header.stamp, rate_hz)
