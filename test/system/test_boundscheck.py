from __future__ import annotations

import pytest

from .faults import (
    Counts,
    between_witnesses,
    environment,
    log_entries,
    plugin_state,
    plugin_status,
    with_plugins,
)

pytestmark = pytest.mark.slow

INSIDE, OUTSIDE = 1, 2
OUT_OF_BOUNDS = 'IndexRangeError: index 2 is out of bounds for axis 0 with size 2'


def test_an_index_out_of_bounds_takes_its_plugin_out_where_a_reload_has_read_boundscheck(start):
    plugins = between_witnesses('faulty/Reads', index=OUTSIDE)
    process, client = start(with_plugins(*plugins), **environment())
    counts = Counts(client, 'first', 'last')
    assert client.set_parameters(boundscheck=True)[0].successful
    counts.wait_for_more()
    assert plugin_state(client) == 'loaded', 'unchecked until the reload'

    assert client.trigger('reload').success
    process.wait_for_output('is taken out')
    counts.wait_for_more()
    level, message, values = plugin_status(client)
    assert (level, values['state']) == (b'\x02', 'failed')
    assert message.startswith(f'failed: control_callback raised {OUT_OF_BOUNDS}')
    assert [plugin_state(client, name) for name in ('first', 'last')] == ['loaded', 'loaded']
    (entry,) = log_entries(process)
    assert f"plugin 'faulty' is taken out: control_callback raised {OUT_OF_BOUNDS}" in entry

    assert client.set_parameters(boundscheck=False)[0].successful
    assert client.trigger('reload').success
    counts.wait_for_more()
    assert plugin_state(client) == 'loaded'


@pytest.mark.parametrize(('index', 'state'), [(INSIDE, 'loaded'), (OUTSIDE, 'failed')])
def test_boundscheck_at_the_start_fails_what_reads_out_of_bounds_alone(start, index, state):
    plugins = between_witnesses('faulty/Reads', index=index)
    _, client = start(with_plugins(*plugins, boundscheck=True), **environment())
    Counts(client, 'first', 'last').wait_for_more()
    assert plugin_state(client) == state
