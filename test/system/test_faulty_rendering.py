"""Plugins that paint badly, and watchers that die: physics, services and images go on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from .cameras import STILL, configs, images, stamps, wait_for_more
from .faults import (
    Counts,
    among_witnesses,
    environment,
    log_entries,
    plugin_state,
    sim_time,
    with_plugins,
)
from .harness import Process, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
RGB = '/cameras/front/rgb'
BLAME = "render_callback of plugin 'sleep'"


CAMERA = {'mujoco_xml': STILL, **configs(front={'frequency': 50.0})}


def painting(*faults: str, **config: Any) -> dict[str, Any]:
    """A camera, and plugins that do this when the first image is made."""
    plugins = [
        {'type': 'faulty/OnRender', 'name': fault.replace(' ', '_'), 'stage': 'render_callback',
         'fault': fault, **config} for fault in faults
    ]  # fmt: skip
    return with_plugins(*among_witnesses(*plugins), **CAMERA)


def test_render_callbacks_that_raise_are_taken_out_alone_and_images_go_on(start):
    faults = 'raise', 'exit', 'interrupt', 'raise unprintable'
    process, client = start(painting(*faults), **environment())
    came = images(client, RGB)
    wait_for_more(came, 10, process)

    told = client.diagnostics()
    for name in (fault.replace(' ', '_') for fault in faults):
        (entry,) = [each for each in log_entries(process) if f"plugin '{name}'" in each]
        assert 'is disabled: render_callback raised' in entry
        assert 'faulty/painting.py' in entry, 'with the traceback'
        level, message, values = told[f'plugin {name}']
        assert (level, values['state']) == (b'\x02', 'failed')
        assert message.startswith('failed: render_callback raised')
    assert {told[f'plugin {name}'][2]['state'] for name in ('first', 'last')} == {'loaded'}
    Counts(client, 'first', 'last').wait_for_more()


def test_all_goes_on_while_a_render_callback_blocks_and_sigterm_ends_the_server(start, tmp_path):
    gate = tmp_path / 'end'
    process, client = start(painting('sleep', end=str(gate)), **environment())
    came = images(client, RGB)
    process.wait_for_output('the block begins')
    before = sim_time(client)
    for call in ('reset', 'load_initial_joint_states'):
        answer = client.trigger(call)
        assert answer.success, answer.message
    assert client.pause(True).success
    assert client.trigger('step').success
    assert client.pause(False).success
    assert client.set_parameters(realtime=0.5)[0].successful
    Counts(client, 'first', 'last').wait_for_more()
    assert sim_time(client) != before
    assert 'the block ends' not in process.output
    gate.touch()
    process.wait_for_output('the block ends')
    wait_for_more(came, process=process)
    assert plugin_state(client, 'sleep') == 'loaded'

    gate.unlink()
    assert client.trigger('reload').success
    wait_until(lambda: process.output.count('the block begins') == 2, 'another block')
    answer = client.trigger('reload')
    assert answer.success, answer.message
    wait_until(lambda: process.output.count('the block begins') == 3, 'the third block')
    before = sim_time(client)
    wait_until(lambda: sim_time(client) > before, 'time goes on')
    assert log_entries(process) == []
    assert any(BLAME in entry for entry in log_entries(process, 'WARN'))

    process.signal(signal.SIGTERM)
    assert process.wait() in (0, 1)
    assert 'first unloads' in process.output
    assert 'last unloads' in process.output


@pytest.fixture
def neighbour(domain) -> Iterator[Any]:
    """`neighbour()`: another process that watches the camera."""
    with ExitStack() as stack:

        def begin() -> Process:
            arguments = ['watch', RGB]
            process = Process('faulty.neighbour', arguments, domain, **environment())
            stack.callback(process.kill)
            return process

        yield begin


def test_a_watcher_that_dies_or_stands_still_amid_images_is_not_missed(start, neighbour):
    large = {'width': 640, 'height': 480, 'frequency': 100.0}
    parameters = {'mujoco_xml': STILL, **configs(front=large)}
    process, client = start(with_plugins(**parameters), **environment())
    dying, frozen = neighbour(), neighbour()
    for watcher, number in [(dying, signal.SIGKILL), (frozen, signal.SIGSTOP)]:
        watcher.wait_for_output('saw')
        watcher.signal(number)
    came = images(client, RGB)
    wait_for_more(came, 20, process)
    assert stamps(came) == sorted(set(stamps(came)))
    assert client.trigger('reset').success
    assert client.trigger('reload').success
    wait_for_more(came, 5, process)
    assert log_entries(process) == []
    assert 'Traceback' not in process.output
