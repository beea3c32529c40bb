"""The viewer's process: access to it, its commands, and its end."""

import os
import signal
import socket
from pathlib import Path

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import SimulationError, ViewerError
from mujoco_ros_py.viewer.page import loopback

from .conftest import connect, wait_until

pytestmark = pytest.mark.slow

MODEL = (
    '<mujoco><worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody></mujoco>'
)
OTHER = '<mujoco><worldbody><geom size="2"/></worldbody></mujoco>'


def other_address():
    """An address of this machine outside the loopback interface; None if it has no other."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(('192.0.2.1', 9))  # connecting a UDP socket sends nothing
        except OSError:
            return None
        return probe.getsockname()[0]


def test_the_process_answers_on_the_loopback_interface_who_has_the_token_and_ends_with_the_viewer(
    show,
):
    shown = show(MODEL)
    pid, port = shown.viewer.pid, int(shown.viewer.address.split(':')[2].split('/')[0])
    places = loopback.listening(pid)
    assert ('127.0.0.1', port) in places
    assert {address for address, _ in places} == {'127.0.0.1'}
    if (address := other_address()) is not None:
        for _, each in places:
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((address, each), timeout=DEADLINE_S)
    with pytest.raises(ViewerError, match=f'port {port} cannot be used'):
        loopback.bind_loopback(port)
    is_refused_without_the_right_token_host_and_origin(shown)

    # the server has priority over the viewer
    assert os.getpriority(os.PRIO_PROCESS, pid) >= 10
    group = Path(f'/proc/{pid}/autogroup')
    if group.exists():  # with autogroups, Linux divides the cores among sessions first
        assert group.read_text().split()[-1] == '10'
    shown.viewer.close()
    assert not os.path.exists(f'/proc/{pid}')


def is_refused_without_the_right_token_host_and_origin(shown):
    assert b'<script>' in shown.get('')[1]
    assert shown.get('model')[0] == shown.get('web_client.js')[0] == 200
    upgrade = {'Upgrade': 'websocket', 'Connection': 'Upgrade'}
    for path in ('', 'model', 'index.html', 'web_client.wasm', 'buttons.json', 'state', 'ui'):
        assert shown.get(path, 'wrong')[0] == 403
        assert shown.get(path, '')[0] == 403
        assert shown.get(path, Host='evil.example')[0] == 403
        assert shown.get(path, Origin='http://evil.example')[0] == 403
        assert shown.get(path, Origin='http://evil.example', **upgrade)[0] == 403
        assert shown.get(path, **upgrade)[0] == 403
    assert shown.get('drop')[0] == 403


def test_the_page_gets_the_models_of_reloads_also_from_a_viewer_that_was_killed(show, caplog):
    shown = show(MODEL)
    wait_until(lambda: shown.page['status'].get('loads') == 1 and shown.content.feed.model(1))
    specs = [mujoco.MjSpec.from_string(each) for each in (OTHER, MODEL)]
    for number in range(6):
        before = shown.get('model')[1]
        shown.session.reload(specs[number % 2])
        wait_until(lambda before=before: shown.get('model')[1] != before)
        wait_until(lambda number=number: shown.page['status']['loads'] == number + 2)
        if number == 1:
            files = open_files(shown)
    wait_until(lambda: open_files(shown) <= files)  # a request may still be running

    pid = shown.viewer.pid
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: shown.viewer.pid not in (None, pid))
    assert wait_until(lambda: shown.page['status'].get('loads')) == 7
    assert 'the viewer has ended and is started again' in caplog.text
    shown.session.step(3)
    assert wait_until(lambda: shown.page['status']['steps'] == 3)


def open_files(shown) -> int:
    return len(os.listdir(f'/proc/{shown.viewer.pid}/fd')) + len(os.listdir('/proc/self/fd'))


def test_commands_do_what_they_say_and_refusals_are_told(show):
    def require(what, service):
        if service == 'reset':
            raise SimulationError(f'{what} needs the admin hash')

    shown = show(MODEL, require=require)
    commands = shown.content.commands
    commands.carry_out({'command': 'run'})
    wait_until(lambda: not shown.session.status.paused)
    commands.carry_out({'command': 'pause'})
    wait_until(lambda: 'pause: done' in commands.answers)
    assert shown.session.status.paused
    commands.carry_out({'command': 'pause or run'})
    commands.carry_out({'command': 'pause or run'})  # counts even if the first is pending
    wait_until(lambda: commands.answers[-2:] == ('run: done', 'pause: done'))
    assert shown.session.status.paused
    commands.carry_out({'command': 'speed', 'times': 2.0})
    wait_until(lambda: commands.answers[-1] == 'speed: done')
    assert shown.session.status.realtime == 2.0
    commands.carry_out({'command': 'speed', 'times': 0.25})
    wait_until(lambda: shown.session.status.realtime == 0.5)
    wait_until(lambda: commands.answers[-2:] == ('speed: done', 'speed: done'))
    commands.carry_out({'command': 'reset'})
    commands.carry_out({'command': 'speed', 'factor': 'much'})
    commands.carry_out({'command': ['no', 'command']})
    reset, speed, none = commands.answers
    assert 'needs the admin hash' in reset
    assert 'much' in speed
    assert 'unknown command' in none
    wait_until(lambda: reset in shown.page['status'].get('answers', ()))


def test_a_push_moves_a_body_and_ends_and_states_are_written_for_who_looks(show):
    shown = show(MODEL)
    model = wait_until(lambda: shown.content.feed.model(1))
    push = {'command': 'push', 'model': 1, 'body': 1, 'wrench': [5.0, 0, 0, 0, 0, 0]}
    shown.content.commands.carry_out(push)
    wait_until(lambda: shown.session.snapshot().data.xfrc_applied[1, 0] == 5.0)
    shown.content.commands.carry_out({'command': 'release'})
    wait_until(lambda: not shown.session.snapshot().data.xfrc_applied.any())
    shown.content.commands.carry_out(push)  # the push ends, because no message repeats it
    wait_until(lambda: not shown.session.snapshot().data.xfrc_applied.any())
    for body, wrench in ((7, [0.0] * 6), (1, [float('nan')] * 6), (1, [1.0])):
        shown.content.commands.carry_out({**push, 'body': body, 'wrench': wrench})
        assert 'unknown body' in shown.content.commands.answers[-1]
    assert model.nbody == 2

    # states are written at the full rate while a page is open
    wait_until(lambda: not shown.content.feed.watched)
    looks = connect(shown, 'state', 'a')
    wait_until(lambda: shown.content.feed.watched)
    looks.close()
    wait_until(lambda: not shown.content.feed.watched)
