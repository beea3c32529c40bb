"""Plugins that paint badly, and watchers that die: physics, services and images go on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from .cameras import STILL, configs, images, stamps, wait_for_more
from .faults import (
    Counts,
    between_witnesses,
    environment,
    log_entries,
    plugin_state,
    plugin_status,
    sim_time,
    with_plugins,
)
from .harness import Client, Process, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures('graphics')]
RGB = '/cameras/front/rgb'
BLAME = "render_callback of plugin 'faulty'"


def painting(fault: str, end: Path | None = None) -> dict[str, Any]:
    """A camera, and a plugin that does this when the first image is made."""
    config = {'stage': 'render_callback', 'fault': fault, 'end': str(end)}
    plugins = between_witnesses('faulty/OnRender', **config)
    return with_plugins(*plugins, mujoco_xml=STILL, **configs(front={'frequency': 50.0}))


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A file that ends the block as soon as it is there."""
    return tmp_path / 'end'


@pytest.fixture
def blocked(start: Any, gate: Path) -> tuple[Process, Client, list[Any]]:
    """A server whose render callback has just begun to block, and its images."""
    process, client = start(painting('sleep', gate), **environment())
    came = images(client, RGB)
    process.wait_for_output('the block begins')
    return process, client, came


@pytest.mark.parametrize('fault', ['raise', 'exit', 'interrupt', 'raise unprintable'])
def test_a_render_callback_that_raises_is_taken_out_alone_and_images_go_on(start, fault):
    process, client = start(painting(fault), **environment())
    came = images(client, RGB)
    wait_for_more(came, 10, process)

    (entry,) = log_entries(process)
    assert "plugin 'faulty' is taken out: render_callback raised" in entry
    assert 'faulty/painting.py' in entry, 'with the traceback'
    level, message, values = plugin_status(client)
    assert (level, values['state']) == (b'\x02', 'failed')
    assert message.startswith('failed: render_callback raised')
    assert [plugin_state(client, name) for name in ('first', 'last')] == ['loaded'] * 2
    Counts(client, 'first', 'last').wait_for_more()


def test_physics_services_and_parameters_go_on_while_a_render_callback_blocks(blocked, gate):
    process, client, came = blocked
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
    assert plugin_state(client) == 'loaded'


def test_a_reload_is_answered_while_a_render_callback_blocks(blocked, gate):
    process, client, came = blocked
    answer = client.trigger('reload')
    assert answer.success, answer.message
    before = sim_time(client)
    wait_until(lambda: sim_time(client) > before, 'time goes on')
    assert log_entries(process) == []
    assert any(BLAME in entry for entry in log_entries(process, 'WARN'))

    assert client.set_parameters(MujocoPlugins='[]')[0].successful
    assert client.trigger('reload').success
    gate.touch()
    wait_for_more(came, process=process)


def test_sigterm_ends_the_server_while_a_render_callback_blocks(blocked):
    process, _, _ = blocked
    process.signal(signal.SIGTERM)
    assert process.wait() in (0, 1)
    assert BLAME in process.output
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
