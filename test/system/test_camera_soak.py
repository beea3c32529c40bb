"""Many reloads while images are made leave nothing behind."""

from __future__ import annotations

import os

import pytest

from .cameras import STILL, configs, images, wait_for_more
from .faults import log_entries
from .harness import wait_until
from .test_soak import Use, use_of

pytestmark = [pytest.mark.nightly, pytest.mark.usefixtures('graphics')]
RELOADS = 100 * int(os.environ.get('MUJOCO_ROS_PY_SOAK', '1'))
WARM_UP = 20
LOOK = 20
"""After so many reloads there are images of all kinds."""
FLAT_MIB = 10.0
"""What OpenGL has for one model alone is more."""
THRIFTY = {
    'MALLOC_MMAP_THRESHOLD_': '32768',
    'MALLOC_TRIM_THRESHOLD_': '65536',
    'MALLOC_ARENA_MAX': '2',
}
"""The C library gives back what is free: otherwise that is up to 15 MiB, now more, now less."""
TEXTURED = STILL.replace(
    '<worldbody>',
    """
  <asset>
    <texture name="board" type="2d" builtin="checker" width="256" height="256"/>
    <material name="board" texture="board"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 1" pos="0 0 -1" material="board"/>
    """,
)


def test_reloads_with_cameras_on_leave_nothing_behind(start, record_property):
    config = {'stream_type': 7, 'frequency': 100.0, 'width': 64, 'height': 48}
    parameters = {'mujoco_xml': TEXTURED, **configs(front=config, top=config)}
    process, client = start(parameters, **THRIFTY)
    names = ('front/rgb', 'front/segmented', 'top/depth')
    came = [images(client, f'/cameras/{name}') for name in names]

    def reload(count: int) -> None:
        for number in range(1, count + 1):
            answer = client.trigger('reload')
            assert answer.success, answer.message
            if number % LOOK == 0:
                for messages in came:
                    wait_for_more(messages, 3, process)

    reload(WARM_UP)
    before = use_of(process.pid)
    reload(RELOADS)

    def settled() -> Use | None:
        now = use_of(process.pid)
        return now if now.threads <= before.threads and now.files <= before.files else None

    after = wait_until(settled, f'no more threads and files than in {before}')
    figure = (
        f'{RELOADS} reloads: {before.memory_mib:.1f} to {after.memory_mib:.1f} MiB,'
        f' {before.threads} to {after.threads} threads, {before.files} to {after.files} files'
    )
    record_property('figure', figure)

    assert log_entries(process) == []
    assert after.memory_mib - before.memory_mib < FLAT_MIB
