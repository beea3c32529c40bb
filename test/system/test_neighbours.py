"""Another node of the same name, or with a clock of its own, is told by name."""

from __future__ import annotations

from rosgraph_msgs.msg import Clock

from .harness import PENDULUM, server_process, wait_until

MODEL = {'mujoco_xml': PENDULUM}
OTHER_CLOCK = '/lab/other publishes /clock, too'
SAME_NAME = 'another node is called /mujoco_server, too'


def test_a_publisher_of_the_clock_is_told_once_and_again_when_it_comes_back(start):
    process, client = start(MODEL)
    node = client.new_node('other')
    publisher = node.create_publisher(Clock, '/clock', 1)
    process.wait_for_output('/other publishes /clock, too: time jumps')
    node.destroy_publisher(publisher)
    wait_until(lambda: node.count_publishers('/clock') == 1, 'one clock')
    before = process.output.count('publishes /clock, too')
    node.create_publisher(Clock, '/clock', 1)
    wait_until(
        lambda: process.output.count('publishes /clock, too') > before, 'the warning once more'
    )


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
