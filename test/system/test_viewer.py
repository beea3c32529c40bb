"""The viewer of a server: its address, its buttons as clients see them, and its end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from chromium import driver, open_page, press
from rosgraph_msgs.msg import Clock

from mujoco_ros_py.viewer.page.studio_internals import missing

from .harness import PENDULUM, seconds, wait_until

__all__ = ['driver', 'open_page']

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]
WITH_VIEWER = {'mujoco_xml': PENDULUM, 'viewer': 'web'}


def address_of(process) -> str:
    process.wait_for_output('viewer: http')
    return re.search(r'viewer: (http://\S+)', process.output)[1]


def test_the_address_is_on_the_console_alone_and_its_port_is_taken_until_the_server_is_killed(
    start,
):
    process, _ = start(WITH_VIEWER)
    address = address_of(process)
    assert urllib.request.urlopen(address).status == 200
    token = address.rstrip('/').rpartition('/')[2]
    commands = subprocess.run(['ps', '-eo', 'args'], capture_output=True, text=True).stdout
    assert token not in commands
    assert not [line for line in process.lines if token in line and 'INFO' in line]

    port = int(re.search(r':(\d+)/', address)[1])
    other, client = start({**WITH_VIEWER, 'viewer_port': port})
    other.wait_for_output(f'port {port} cannot be used')
    assert client.trigger('reset').success

    process.signal(signal.SIGKILL)

    def gone() -> bool:
        try:
            urllib.request.urlopen(address)
        except (urllib.error.URLError, ConnectionError):
            return True
        return False

    wait_until(gone, 'the end of the viewer')


def test_without_websockets_the_log_says_what_to_install_and_the_server_runs_on(start, tmp_path):
    hides = tmp_path / 'hides'
    hides.mkdir()
    (hides / 'sitecustomize.py').write_text("import sys\nsys.modules['websockets'] = None\n")
    before = filter(None, [os.environ.get('PYTHONPATH')])
    path = os.pathsep.join([str(hides), *before])
    process, client = start(WITH_VIEWER, fresh=True, PYTHONPATH=path)
    process.wait_for_output("websockets is not installed: pip install 'mujoco_ros_py[viewer]'")
    assert 'the simulation runs without it' in process.output
    assert client.trigger('reset').success
    assert 'Traceback' not in process.output


def test_the_page_needs_no_opengl_of_the_server(start, broken_opengl):
    process, client = start(WITH_VIEWER, **broken_opengl)
    assert urllib.request.urlopen(address_of(process)).status == 200
    assert client.trigger('reset').success


def page_of(address: str) -> dict:
    return json.loads(urllib.request.urlopen(address + 'buttons.json').read())


def click(address: str, page, name: str, done: Callable[[], Any]) -> Any:
    """Clicks a button of the panel until that is seen: a page that comes up misses clicks."""

    def clicked() -> Any:
        place = page_of(address)['buttons'].get(name)
        if place is not None and not done():
            press(page, place)
            page.wait_for_timeout(1000)
        return done()

    return wait_until(clicked, f'what the button {name} does')


def test_a_click_on_pause_and_on_reset_is_seen_on_the_clock(start, open_page, tmp_path):
    process, client = start(WITH_VIEWER, HOME=str(tmp_path))
    times = client.collect(Clock, '/clock', reliable=False)
    address = address_of(process)
    page = open_page(address)
    wait_until(lambda: page_of(address)['status'].get('steps'), 'the status')
    click(address, page, 'Pause', lambda: page_of(address)['status']['paused'])
    click(address, page, 'Reset', lambda: times and seconds(times[-1].clock) == 0.0)


def test_in_eval_mode_the_page_refuses_what_needs_the_hash(start, open_page, tmp_path):
    protected = {'eval_mode': True, 'admin_hash': 'secret'}
    process, _ = start({**WITH_VIEWER, **protected}, HOME=str(tmp_path))
    address = address_of(process)
    page = open_page(address)
    wait_until(lambda: page_of(address)['status'].get('steps'), 'the status')
    answers = click(address, page, 'Pause', lambda: page_of(address)['status']['answers'])
    assert 'needs the admin hash' in answers[-1]
    assert not page_of(address)['status']['paused']
