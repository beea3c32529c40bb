"""Worlds that are replaced repeatedly, or are large, while a page shows them."""

import os
from pathlib import Path

import mujoco
import pytest

from .conftest import wait_until
from .test_faulty_browsers import own_mib
from .test_in_chromium import SWING, await_picture

pytestmark = pytest.mark.nightly

RELOADS = int(os.environ.get('VIEWER_RELOADS', '100'))
WARM_UP = 20
MOST_MIB = 30.0
GREY = SWING.replace('rgba="1 0 0 1"', 'rgba="0.5 0.5 0.5 1"')
COLUMNS, ROWS = 125, 80
FIELD = f"""
<mujoco>
  <option gravity="0 0 0"><flag contact="disable"/></option>
  <visual><global azimuth="90" elevation="-60"/><headlight ambient="0.5 0.5 0.5"/></visual>
  <worldbody>
    <replicate count="{ROWS}" offset="0 1 0" sep="r">
      <replicate count="{COLUMNS}" offset="1 0 0" sep="c">
        <geom type="box" size="0.4 0.4 0.1" rgba="1 0 0 1"/>
      </replicate>
    </replicate>
    <body name="probe" pos="60 40 5"><joint type="slide" axis="0 0 1"/><geom size="1"/></body>
  </worldbody>
</mujoco>"""


def files(pid: int) -> int:
    return len(list(Path(f'/proc/{pid}/fd').iterdir()))


def test_reloads_with_an_open_page_leave_no_memory_behind(show, open_page, record_property):
    shown = show(SWING, velocities={'turn': 1.0})
    page = open_page(shown.viewer.address)
    await_picture(page)
    pids = os.getpid(), shown.viewer.pid
    specs = [mujoco.MjSpec.from_string(each) for each in (GREY, SWING)]

    def use() -> list[tuple[float, int]]:
        return [(own_mib(pid), files(pid)) for pid in pids]

    for number in range(WARM_UP + RELOADS):
        if number == WARM_UP:
            before = use()
        shown.session.reload(specs[number % 2])
        wait_until(lambda: shown.content.feed.model(shown.content.feed._count))
        wait_until(lambda number=number: shown.page['status'].get('loads') == number + 2)
    await_picture(page)
    after = use()
    names = 'server', 'viewer'
    record_property(
        'figure',
        f'{RELOADS} reloads with a page open: '
        + ', '.join(
            f'{name} {then[0]:.1f} to {now[0]:.1f} MiB, {then[1]} to {now[1]} files'
            for name, then, now in zip(names, before, after, strict=True)
        ),
    )
    for then, now in zip(before, after, strict=True):
        assert now[0] - then[0] < MOST_MIB
        assert now[1] <= then[1] + 2
    assert shown.viewer.pid == pids[1]


def test_a_model_of_ten_thousand_geoms_is_shown_and_stepped(show, open_page):
    shown = show(FIELD)
    page = open_page(shown.viewer.address)
    await_picture(page, lambda place: place.mean() > 0.2)
    shown.session.set_paused(False)
    steps = shown.session.status.steps
    wait_until(lambda: shown.session.status.steps > steps + 100)
    wait_until(lambda: shown.page['status']['steps'] > steps + 100)
