"""When images come, and when none is made."""

from __future__ import annotations

from itertools import pairwise

import pytest
from sensor_msgs.msg import CameraInfo, CompressedImage

from .cameras import STILL, WORLD, configs, first, images, stamps, wait_for_more
from .harness import Client, seconds, wait_for_rate, wait_until
from .plugin_site import PluginSite, as_text, plugin

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
FRONT = '/cameras/front'
US = 1e-6


@pytest.fixture
def site(tmp_path) -> PluginSite:
    return PluginSite(tmp_path)


@pytest.mark.parametrize('rate_hz', [20.0, 33.0, 50.0], ids=str)
def test_the_first_image_is_at_zero_and_the_next_a_period_later_never_before(start, rate_hz):
    _, client = start({
        'mujoco_xml': WORLD, 'unpause': False, 'realtime': 0.2,
        **configs(front={'frequency': rate_hz}),
    })  # fmt: skip
    came = images(client, f'{FRONT}/rgb')
    first(came)
    assert client.pause(False).success

    def on_time() -> int:
        """How many of the newest twelve are; other work may hold some of them up."""
        newest = pairwise(stamps(came[-13:]))
        return sum(b - a <= 1 / rate_hz + 0.002 + US for a, b in newest)

    wait_until(lambda: on_time() >= 10, 'images on time')
    times = list(dict.fromkeys(stamps(came)))  # the first may have come twice in the pause
    assert times[0] == 0
    assert min(b - a for a, b in pairwise(times)) >= 1 / rate_hz - US


def test_after_a_reset_the_first_image_is_at_zero_again(start):
    _, client = start({'mujoco_xml': WORLD, 'realtime': 0.5, **configs(front={'frequency': 5.0})})
    came = images(client, f'{FRONT}/rgb')
    wait_until(lambda: len(came) > 2, 'images')
    assert client.pause(True).success
    assert client.trigger('reset').success
    wait_until(lambda: seconds(came[-1].header.stamp) == 0, 'the image of time zero')
    before = len(came)
    assert client.pause(False).success
    wait_until(lambda: stamps(came)[-1] > 0, 'the image after it')
    assert min(time for time in stamps(came)[before:] if time > 0) >= 0.2 - US


RAW = ('rgb', 'depth', 'segmented', 'segmented/ids')
COMPRESSED = ('rgb/compressed', 'segmented/compressed')


def test_images_raw_and_compressed_and_camera_data_have_the_same_stamps(start):
    config = {'stream_type': 7, 'compressed': True, 'frequency': 30.0}
    _, client = start({'mujoco_xml': WORLD, **configs(front=config)})
    infos = images(client, f'{FRONT}/camera_info', CameraInfo)
    came = [images(client, f'{FRONT}/{name}') for name in RAW]
    came += [images(client, f'{FRONT}/{name}', CompressedImage) for name in COMPRESSED]
    wait_until(lambda: all(len(messages) > 10 for messages in came), 'images')
    for messages in came:
        times = stamps(messages[2:10])
        assert len(set(times)) == len(times)
        wait_until(lambda: set(times) <= set(stamps(infos)), 'the data of these')  # noqa: B023


def test_a_subscriber_that_comes_in_a_pause_gets_an_image_of_that_moment(start):
    _, client = start({'mujoco_xml': WORLD, 'unpause': False, **configs(front={'stream_type': 3})})
    assert client.trigger('step').success
    color = first(images(client, f'{FRONT}/rgb'))
    depth = first(images(client, f'{FRONT}/depth'))
    again = first(images(client, f'{FRONT}/rgb'), 'one for a third subscriber')
    for message in (color, depth, again):
        assert seconds(message.header.stamp) == pytest.approx(0.002)


def test_camera_data_come_at_the_rate_of_the_images_even_alone(start):
    _, client = start({
        'mujoco_xml': WORLD, 'realtime': 0.5, **configs(front={'frequency': 20.0})
    })  # fmt: skip
    infos = images(client, f'{FRONT}/camera_info', CameraInfo)
    wait_until(lambda: len(infos) > 5, 'camera data')
    assert min(b - a for a, b in pairwise(stamps(infos))) >= 0.05 - US


def test_images_are_made_while_somebody_subscribes_and_no_longer(start, site, domain):
    _, client = start({
        'mujoco_xml': WORLD,
        'MujocoPlugins': as_text(plugin('Painter', 'counter')),
        **configs(front={'frequency': 50.0}),
    }, **site.environment)  # fmt: skip
    infos = images(client, f'{FRONT}/camera_info', CameraInfo)
    wait_for_more(infos)
    assert site.events('render') == [], 'camera data need no image'
    assert client.trigger('reset').success

    watcher = Client(domain)
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


def test_a_camera_that_nobody_watches_costs_no_image(start, site):
    _, client = start({
        'mujoco_xml': WORLD,
        'MujocoPlugins': as_text(plugin('Painter', 'counter')),
        **configs(front={'frequency': 20.0}, top={'frequency': 100.0}),
    }, **site.environment)  # fmt: skip
    came = images(client, f'{FRONT}/rgb')
    wait_for_more(came, 10)
    seen = {round(time, 6) for time in stamps(came)}
    painted = {round(event.time, 6) for event in site.events('render')}
    assert seen <= painted
    assert min(b - a for a, b in pairwise(sorted(painted))) >= 0.05 - US


def test_cameras_with_different_rates_keep_theirs(start):
    _, client = start({
        'mujoco_xml': STILL, 'realtime': 0.5,
        **configs(front={'frequency': 10.0}, top={'frequency': 40.0}),
    })  # fmt: skip
    slow, fast = (images(client, f'/cameras/{name}/rgb') for name in ('front', 'top'))
    for messages, rate_hz in [(slow, 10.0), (fast, 40.0)]:
        wait_for_rate(messages, lambda image: image.header.stamp, rate_hz)
