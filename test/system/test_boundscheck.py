from __future__ import annotations

import pytest

from .faults import (
    Counts,
    among_witnesses,
    environment,
    log_entries,
    plugin_state,
    plugin_status,
    with_plugins,
)
from .harness import wait_until

pytestmark = pytest.mark.slow

PLUGINS = among_witnesses(
    {'type': 'faulty/Reads', 'name': 'faulty', 'index': 2},
    {'type': 'faulty/Reads', 'name': 'inside', 'index': 1},
)
FAILURE = (
    'control_callback raised IndexRangeError: index 2 is out of bounds for axis 0 with size 2'
)


def test_boundscheck_takes_out_what_reads_out_of_bounds_alone_once_a_start_or_reload_has_read_it(
    start,
):
    process, client = start(with_plugins(*PLUGINS, boundscheck=True), **environment())
    counts = Counts(client, 'first', 'last')

    def assert_taken_out() -> None:
        counts.wait_for_more()
        level, message, values = plugin_status(client)
        assert (level, values['state']) == (b'\x02', 'failed')
        assert message.startswith(f'failed: {FAILURE}')
        others = [plugin_state(client, name) for name in ('first', 'inside', 'last')]
        assert others == ['loaded'] * 3

    assert_taken_out()
    (entry,) = log_entries(process)
    assert f"plugin 'faulty' is disabled: {FAILURE}" in entry

    assert client.set_parameters(boundscheck=False)[0].successful
    assert client.trigger('reload').success
    counts.wait_for_more()
    assert plugin_state(client) == 'loaded'

    assert client.set_parameters(boundscheck=True)[0].successful
    counts.wait_for_more()
    assert plugin_state(client) == 'loaded', 'unchecked until the reload'
    assert client.trigger('reload').success
    wait_until(lambda: len(log_entries(process)) == 2, 'that it is disabled again')
    assert_taken_out()
