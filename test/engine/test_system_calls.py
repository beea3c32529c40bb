"""System calls from compiled code."""

from __future__ import annotations

import os
import time

import pytest
from numba import njit

from mujoco_ros_py.engine.compiled.system import wait
from mujoco_ros_py.engine.linux_waits import new_event

SECOND_NS = 10**9


@njit(nogil=True)
def wait_for(event, timeout_ns):
    wait(event, timeout_ns)


@pytest.fixture
def event():
    descriptor = new_event()
    yield descriptor
    os.close(descriptor)


@pytest.mark.parametrize('timeout_ns', [1_000_000, SECOND_NS + 1_000_000])
def test_a_wait_lasts_as_long_as_its_timeout(event, timeout_ns):
    wait_for(event, 0)
    start = time.monotonic_ns()

    wait_for(event, timeout_ns)

    assert time.monotonic_ns() - start >= timeout_ns


def test_a_signal_ends_a_wait_and_is_cleared(event):
    os.eventfd_write(event, 1)

    wait_for(event, 3600 * SECOND_NS)

    with pytest.raises(BlockingIOError):
        os.eventfd_read(event)
