"""Another node of the same name, or with a clock of its own, is told by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from rosgraph_msgs.msg import Clock

from .harness import PENDULUM, Process, server_process, wait_until

pytestmark = pytest.mark.slow

MODEL = {'mujoco_xml': PENDULUM}
OTHER_CLOCK = '/lab/other also publishes /clock'
SAME_NAME = 'another node is also called /mujoco_server'
SAME_CLOCK = '/mujoco_server also publishes /clock'


def test_a_publisher_of_the_clock_is_told_once_and_again_when_it_comes_back(start):
    process, client = start(MODEL)
    diagnostics = client.collect(DiagnosticArray, '/diagnostics')

    def seconds_pass(count: int) -> None:
        """Of the server's: it looks round as often as it publishes these."""
        until = len(diagnostics) + count
        wait_until(lambda: len(diagnostics) >= until, 'diagnostics')

    def told() -> int:
        return process.output.count('/other also publishes /clock: the time jumps')

    node = client.new_node('other')
    publisher = node.create_publisher(Clock, '/clock', 1)
    wait_until(lambda: told() == 1, 'the warning')
    seconds_pass(2)
    assert told() == 1
    while told() == 1:  # the server may not have seen in time that it was gone
        client.run_in_executor(node.destroy_publisher, publisher)
        seconds_pass(2)
        publisher = node.create_publisher(Clock, '/clock', 1)
        seconds_pass(2)
    assert told() == 2


def test_a_second_server_is_told_by_both_for_what_it_has_in_common(start, tmp_path, domain):
    process, client = start(MODEL)

    @contextmanager
    def second(*remappings: str) -> Iterator[Process]:
        (folder := tmp_path / 'second').mkdir(exist_ok=True)
        args = [arg for remapping in remappings for arg in ('-r', remapping)]
        server = server_process(folder, domain, MODEL, *args)
        try:
            yield server
        finally:
            server.end()

    clocks = client.collect(Clock, '/lab/clock', reliable=False)
    with second('__ns:=/lab', '/clock:=/lab/clock') as server:
        wait_until(lambda: len(clocks) > 100, 'the other clock')
        assert 'too:' not in process.output + server.output
    with second('__ns:=/lab', '__node:=other') as server:
        process.wait_for_output(OTHER_CLOCK)
        server.wait_for_output(SAME_CLOCK)
        assert SAME_NAME not in process.output + server.output
    with second() as server:
        for each in (process, server):
            each.wait_for_output(SAME_NAME)
            each.wait_for_output(SAME_CLOCK)
