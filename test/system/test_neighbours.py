"""Another node of the same name, or with a clock of its own, is told by name."""

from __future__ import annotations

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from rosgraph_msgs.msg import Clock

from .harness import PENDULUM, server_process, wait_until

pytestmark = pytest.mark.slow

MODEL = {'mujoco_xml': PENDULUM}
OTHER_CLOCK = '/lab/other publishes /clock, too'
SAME_NAME = 'another node is called /mujoco_server, too'


def test_a_publisher_of_the_clock_is_told_once_and_again_when_it_comes_back(start):
    process, client = start(MODEL)
    diagnostics = client.collect(DiagnosticArray, '/diagnostics')

    def seconds_pass(count: int) -> None:
        """Of the server's: it looks round as often as it publishes these."""
        until = len(diagnostics) + count
        wait_until(lambda: len(diagnostics) >= until, 'diagnostics')

    def told() -> int:
        return process.output.count('/other publishes /clock, too: time jumps')

    node = client.new_node('other')
    publisher = node.create_publisher(Clock, '/clock', 1)
    wait_until(lambda: told() == 1, 'the warning')
    seconds_pass(3)
    assert told() == 1
    while told() == 1:  # the server may not have seen in time that it was gone
        client.run_in_executor(node.destroy_publisher, publisher)
        seconds_pass(3)
        publisher = node.create_publisher(Clock, '/clock', 1)
        seconds_pass(3)
    assert told() == 2


def test_a_second_server_is_told_by_both(start, tmp_path, domain):
    process, _ = start(MODEL)
    folder = tmp_path / 'second'
    folder.mkdir()
    second = server_process(folder, domain, MODEL)
    try:
        for each in (process, second):
            each.wait_for_output(SAME_NAME)
            each.wait_for_output('/mujoco_server publishes /clock, too')
    finally:
        second.end()


def test_a_server_in_another_namespace_is_told_for_its_clock_alone(start, tmp_path, domain):
    process, _ = start(MODEL)
    folder = tmp_path / 'second'
    folder.mkdir()
    second = server_process(folder, domain, MODEL, '-r', '__ns:=/lab', '-r', '__node:=other')
    try:
        process.wait_for_output(OTHER_CLOCK)
        second.wait_for_output('/mujoco_server publishes /clock, too')
        assert SAME_NAME not in process.output + second.output
    finally:
        second.end()


def test_an_own_clock_elsewhere_disturbs_nobody(start, tmp_path, domain):
    process, client = start(MODEL)
    folder = tmp_path / 'second'
    folder.mkdir()
    remapped = ('-r', '__ns:=/lab', '-r', '/clock:=/lab/clock')
    second = server_process(folder, domain, MODEL, *remapped)
    try:
        clocks = client.collect(Clock, '/lab/clock', reliable=False)
        wait_until(lambda: len(clocks) > 100, 'the other clock')
        assert 'too:' not in process.output + second.output
    finally:
        second.end()
