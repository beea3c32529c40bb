"""The lines of the log for whoever watches the console."""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

import pytest

from .faults import Counts, between_witnesses, environment, plugin_list, with_plugins
from .harness import PENDULUM, Process, wait_until

pytestmark = pytest.mark.slow

INTERVAL_S = 0.2
LINE = re.compile(
    r'\[INFO\] \[(?P<stamp>[\d.]+)\] \[mujoco_server\]: '
    r'(?P<state>running|paused): t = (?P<time>\d+\.\d{3}) s, '
    r'real-time factor (?P<factor>\d+\.\d\d) \((?P<asked>[^)]+)\), '
    r'(?P<steps>\d+) steps(?: \| (?P<plugins>.*))?\n'
)
COSTS = r'control \d+\.\d\d us, passive \d+\.\d\d us, last_stage \d+\.\d\d us'


class Report(NamedTuple):
    """What a line says."""

    stamp: float
    state: str
    time: float
    factor: float
    asked: str
    steps: int
    plugins: list[str]


def reports(process: Process) -> list[Report]:
    found = [LINE.fullmatch(line) for line in list(process.lines)]
    return [
        Report(
            stamp=float(match['stamp']),
            state=match['state'],
            time=float(match['time']),
            factor=float(match['factor']),
            asked=match['asked'],
            steps=int(match['steps']),
            plugins=(match['plugins'] or '').split('; '),
        )
        for match in found
        if match
    ]


def more_reports(process: Process, count: int, *, after: int = 0) -> list[Report]:
    """The next ones, of these `after` not."""
    begin = len(reports(process)) + after
    wait_until(lambda: len(reports(process)) >= begin + count, 'reports:\n', process=process)
    return reports(process)[begin : begin + count]


@pytest.fixture
def reporting(share):
    """`reporting(**given)`: a server that logs its lines, and runs with these parameters."""
    parameters = with_plugins(report_interval=INTERVAL_S, realtime=1.0, unpause=False)

    def begin(**given):
        process, client = share(parameters, given=given, **environment())
        assert client.pause(False).success
        return process, client

    return begin


def test_a_line_at_each_interval_tells_time_factor_steps_and_what_each_plugin_costs(reporting):
    plugins = plugin_list(*between_witnesses('faulty/Python'))
    process, client = reporting(MujocoPlugins=plugins, realtime=0.5)
    Counts(client, 'first', 'last').wait_for_more(by=100)  # one step in 64 is timed

    def punctual() -> list[Report]:
        """The newest ones, if no other work has held them up."""
        lines = reports(process)[-4:]
        passed_s = lines[-1].stamp - lines[0].stamp
        on_time = abs(passed_s / 3 - INTERVAL_S) < 0.25 * INTERVAL_S
        speed = (lines[-1].time - lines[0].time) / passed_s
        told = sum(line.factor for line in lines[1:]) / 3
        return lines if on_time and abs(speed - 0.5) < 0.1 and abs(told - speed) < 0.1 else []

    more_reports(process, 4, after=1)
    lines = wait_until(punctual, 'lines at the interval:\n', process=process)
    assert {(line.state, line.asked) for line in lines} == {('running', 'asked 0.5')}
    for line in lines:
        assert line.time == pytest.approx(0.002 * line.steps, abs=0.05)
        assert [plugin.partition(':')[0] for plugin in line.plugins] == [
            'joint_states loaded',
            'first loaded',
            'faulty loaded',
            'last loaded',
        ]
        _, *timed = line.plugins  # joint states have no callback
        assert all(re.search(f': {COSTS}$', plugin) for plugin in timed), line


def test_the_line_tells_what_failed_that_it_is_paused_and_that_nothing_holds_it_back(reporting):
    fault = {'stage': 'control_callback', 'fault': 'raise', 'after': 0.05}
    plugins = plugin_list(*between_witnesses('faulty/Python', **fault))
    process, client = reporting(MujocoPlugins=plugins, realtime=-1.0)
    process.wait_for_output('is disabled')

    (line,) = more_reports(process, 1, after=1)
    assert line.asked == 'unthrottled'
    assert line.plugins[2].startswith('faulty failed')

    assert client.pause(True).success
    (line,) = more_reports(process, 1, after=2)  # the first may be on its way
    assert (line.state, line.factor) == ('paused', 0)


def test_the_log_says_how_to_talk_to_the_server_by_its_name(start):
    parameters = {'mujoco_xml': PENDULUM, 'report_interval': INTERVAL_S}
    process, _ = start(parameters, '-r', '__ns:=/lab', node='/lab/mujoco_server')
    process.wait_for_output('realtime 0.5')
    told = re.findall(r'a command for this server: (.*)', process.output)
    server = '--node', '/lab/mujoco_server'
    assert [shlex.split(command)[2:] for command in told] == [
        ['mujoco_ros_py', 'call', *server, 'set_pause', '{data: true}'],
        ['mujoco_ros_py', 'call', *server, 'reset'],
        ['mujoco_ros_py', 'set', *server, 'realtime', '0.5'],
    ]


def test_without_an_interval_the_log_stays_quiet(start):
    process, client = start({'mujoco_xml': PENDULUM})
    client.diagnostics()
    assert reports(process) == []
    assert 'a command for this server' not in process.output
