"""What plugins draw into the images."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from .cameras import STILL, configs, first_image, images, pixels, wait_for_more
from .faults import log_entries, plugin_state, plugin_status
from .harness import wait_until
from .plugin_site import PluginSite, as_text, plugin

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
RED, GREEN = [1, 0, 0, 1], [0, 1, 0, 1]
WHITE = [1, 1, 1, 1]
PAINTERS = Path(__file__).with_name('painters.py')
ALL = {'stream_type': 7, 'frequency': 50.0, 'width': 90, 'height': 60}


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    site = PluginSite(tmp_path_factory.mktemp('plugins'))
    site.add_module('painters', PAINTERS.read_text())
    return site


@pytest.fixture
def painted(share, site):
    """`painted(plugins)`: a server with these plugins that runs."""
    parameters = {'mujoco_xml': STILL, 'MujocoPlugins': '[]', **configs(front=ALL)}

    def begin(plugins):
        process, client = share(parameters, given={'MujocoPlugins': plugins}, **site.environment)
        assert client.pause(False).success
        return process, client

    return begin


def arrow(**config: object) -> dict[str, object]:
    """From the left to the right, above the ball, drawn by compiled code."""
    ends = {'tail': [-0.8, 0, 0.6], 'tip': [0.8, 0, 0.6]}
    return {'type': 'painters/Arrow', **ends, 'rgba': RED, **config}


def mask(image: np.ndarray, color: list[float]) -> np.ndarray:
    """Where it is clearly of a colour."""
    return ((image > 120) == np.array(color[:3], bool)).all(axis=2)


def count(image: np.ndarray, color: list[float]) -> int:
    """Pixels that are clearly of a colour."""
    return int(mask(image, color).sum())


def painters() -> str:
    return as_text(
        plugin('Painter', 'second', rgba=RED, pos=[-0.9, 0, 0]),
        plugin('Recorder', 'no_painter'),
        plugin('Painter', 'first', rgba=GREEN, pos=[0.9, 0, 0]),
    )


def test_what_plugins_add_is_seen_in_colour_alone(painted):
    _, client = painted(painters())
    color = first_image(client, '/cameras/front/rgb')
    ids = first_image(client, '/cameras/front/segmented/ids')
    depth = first_image(client, '/cameras/front/depth')
    assert count(color, RED) > 20
    assert count(color, GREEN) > 20
    assert np.nonzero((color[..., 0] > 120).any(axis=0))[0].max() < 45, 'red is left'
    assert set(np.unique(ids)) == {0, 1}, 'nothing and the ball'
    np.testing.assert_array_equal(np.isinf(depth), ids == 0)


def test_callbacks_come_in_load_order_once_an_image_with_the_moment_that_is_drawn(painted, site):
    before = len(site.events('render'))
    _, client = painted(painters())
    came = images(client, '/cameras/front/rgb')
    wait_for_more(came, 10)
    events = site.events('render')[before:][:16]
    assert [event.who for event in events] == ['second', 'first'] * 8
    for second, later in zip(events[::2], events[1::2], strict=True):
        assert second.time == later.time
        assert second.geoms + 1 == later.geoms, 'each sees what those before it added'
    assert len({event.geoms for event in events}) == 2, 'nothing is left from the last image'


def test_after_a_reload_the_new_plugins_paint(painted, site):
    _, client = painted(painters())
    first_image(client, '/cameras/front/rgb')
    painted(as_text(plugin('Painter', 'new', rgba=GREEN, pos=[-0.9, 0, 0])))
    color = first_image(client, '/cameras/front/rgb')
    assert count(color, RED) == 0
    assert count(color, GREEN) > 20
    names = site.names('load', 'render')
    assert set(names[names.index('load new') :]) == {'load new', 'render new'}


def test_diagnostics_have_the_mean_time_of_a_render_callback(painted):
    plugins = as_text(plugin('Painter', 'slow', render_s=0.01), plugin('Recorder', 'other'))
    _, client = painted(plugins)
    mean = 'render_callback mean (us)'
    wait_for_more(images(client, '/cameras/front/rgb'), 5)
    values = wait_until(
        lambda: mean in (now := client.diagnostics()['plugin slow'][2]) and now, mean
    )
    assert 1e4 <= float(values[mean]) < 1e7, 'microseconds'
    assert mean not in client.diagnostics()['plugin other'][2]


def test_a_compiled_callback_draws_an_arrow_with_its_head_ahead(painted):
    _, client = painted(as_text(arrow()))
    thickness = mask(first_image(client, '/cameras/front/rgb'), RED).sum(axis=0)
    ids = first_image(client, '/cameras/front/segmented/ids')
    (columns,) = np.nonzero(thickness)
    assert len(columns) > 20, 'it is long'
    shaft, head = np.array_split(thickness[columns], 2)
    assert shaft.max() < head.max(), 'the head is at the right'
    assert set(np.unique(ids)) == {0, 1}, 'nothing and the ball'


@pytest.mark.parametrize('kind', ['Label', 'CompiledLabel'])
def test_a_label_is_written_from_its_place_on(painted, kind):
    texts = {'HI': [-0.9, 0, 0.2], 'HIHIHI': [-0.1, 0, -0.7]}
    labels = [{'type': f'painters/{kind}', 'text': t, 'pos': pos} for t, pos in texts.items()]
    named = [{**label, 'name': label['text']} for label in labels]
    _, client = painted(as_text(*named))
    white = mask(first_image(client, '/cameras/front/rgb'), WHITE)
    short, long = white[:20], white[40:]
    assert short.sum() > 20
    assert long.sum() == 3 * short.sum(), 'the same letters three times'
    assert np.nonzero(short.any(axis=0))[0].max() < 45 <= np.nonzero(long.any(axis=0))[0].max()
    assert not white[20:40].any()


def test_a_compiled_callback_that_raises_is_taken_out_alone_and_images_go_on(painted):
    plugins = as_text(
        plugin('Painter', 'before', rgba=GREEN, pos=[-0.9, 0, 0]),
        arrow(name='arrow', images=5),
        plugin('Painter', 'after', rgba=[*GREEN], pos=[0.9, 0, 0]),
    )
    process, client = painted(plugins)
    came = images(client, '/cameras/front/rgb')
    process.wait_for_output('is disabled')
    wait_for_more(came, 10, process)

    (entry,) = log_entries(process)
    assert "plugin 'arrow' is disabled: render_callback raised ValueError" in entry
    assert 'out of arrows' in entry
    level, message, values = plugin_status(client, 'arrow')
    assert (level, values['state']) == (b'\x02', 'failed')
    assert message.startswith('failed: render_callback raised ValueError')
    assert [plugin_state(client, name) for name in ('before', 'after')] == ['loaded'] * 2
    assert count(pixels(came[-1]), RED) == 0
    left, right = np.hsplit(pixels(came[-1]), 2)
    assert min(count(left, GREEN), count(right, GREEN)) > 20
