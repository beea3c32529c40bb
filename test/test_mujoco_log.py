"""Warnings of MuJoCo outside of steps."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine.libmujoco import library
from mujoco_ros_py.mujoco_log import collecting, forward_warnings

LOADS = """
import logging, sys
logging.basicConfig(format='%(name)s %(levelname)s %(message)s')

from mujoco_ros_py.engine.libmujoco import library
library().mju_warning(b'%s', b'the mesh is too small')
"""


@pytest.fixture
def handler():
    before = mujoco.get_mju_user_warning()
    yield mujoco.set_mju_user_warning
    mujoco.set_mju_user_warning(before)


@pytest.mark.slow
def test_a_warning_is_logged_and_neither_printed_nor_written_to_a_file(tmp_path):
    done = subprocess.run(
        [sys.executable, '-c', LOADS],
        cwd=tmp_path, capture_output=True, text=True, timeout=DEADLINE_S, check=True,
    )  # fmt: skip
    said = 'mujoco_ros_py.mujoco_log WARNING MuJoCo warns: the mesh is too small\n'
    assert (done.stdout, done.stderr) == ('', said)
    assert list(tmp_path.iterdir()) == []


def test_a_handler_that_somebody_has_set_stays(handler, caplog):
    came = []
    handler(came.append)
    forward_warnings()
    library().mju_warning(b'%s', b'mine')
    assert came == ['mine']
    assert caplog.records == []


def test_what_is_collected_is_that_of_this_thread(handler, caplog):
    handler(None)
    with caplog.at_level(logging.WARNING), collecting() as warnings:
        library().mju_warning(b'%s', b'here')
        other = threading.Thread(target=library().mju_warning, args=(b'%s', b'there'))
        other.start()
        other.join(DEADLINE_S)
    assert warnings == ['here']
    assert [record.getMessage() for record in caplog.records] == ['MuJoCo warns: there']


def test_threads_that_collect_at_the_same_time_leave_the_handler_of_before(handler, caplog):
    """The thread that begins first ends first: it must not take the handler from the other."""
    handler(None)
    forward_warnings()
    begun, ended = threading.Event(), threading.Event()
    found: list[list[str]] = []

    def first() -> None:
        with collecting() as warnings:
            begun.set()
            assert ended.wait(DEADLINE_S)
            library().mju_warning(b'%s', b'first')
        found.append(warnings)

    thread = threading.Thread(target=first)
    thread.start()
    assert begun.wait(DEADLINE_S)
    with collecting() as warnings:
        ended.set()
        thread.join(DEADLINE_S)
        library().mju_warning(b'%s', b'second')
    assert (found, warnings) == ([['first']], ['second'])
    with caplog.at_level(logging.WARNING):
        library().mju_warning(b'%s', b'later')
        again = threading.Thread(target=library().mju_warning, args=(b'%s', b'still later'))
        again.start()
        again.join(DEADLINE_S)
    said = ['MuJoCo warns: later', 'MuJoCo warns: still later']
    assert [record.getMessage() for record in caplog.records] == said


def test_warnings_that_are_forwarded_while_a_thread_collects_are_so_afterwards(handler, caplog):
    handler(None)
    with collecting():
        forward_warnings()
    with caplog.at_level(logging.WARNING):
        library().mju_warning(b'%s', b'later')
    assert [record.getMessage() for record in caplog.records] == ['MuJoCo warns: later']
