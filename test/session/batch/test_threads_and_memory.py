"""The threads, descriptors and memory of a batch, which are released with the batch."""

from __future__ import annotations

import gc
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from mujoco_ros_py.engine.callback_registry import registry
from mujoco_ros_py.session.batch import Batch

from .robot import Controller, model

PAGE = os.sysconf('SC_PAGE_SIZE')


def workers() -> list[threading.Thread]:
    """The threads of batches."""
    return [thread for thread in threading.enumerate() if thread.name == 'worlds']


def descriptors() -> int:
    return len(os.listdir('/proc/self/fd'))


def memory() -> int:
    """The resident memory of the process in bytes."""
    gc.collect()
    return int(Path('/proc/self/statm').read_text().split()[1]) * PAGE


@pytest.mark.parametrize(('threads', 'expected'), [(1, 1), (3, 3), (9, 4)])
def test_there_are_as_many_threads_as_asked_for_and_no_more_than_worlds(make, threads, expected):
    before = len(workers())
    batch = make(plugin=None, threads=threads)
    assert batch.threads == expected
    assert len(workers()) == before + expected - 1  # the thread that asks is one of them
    batch.step()
    batch.close()
    assert len(workers()) == before


def test_nothing_is_left_of_a_batch_that_was_dropped_without_close():
    gc.collect()
    before = len(workers()), descriptors(), len(registry)
    batch = Batch(model(), [Controller], worlds=3, threads=2)
    batch.step()
    assert len(registry) == before[2] + 3
    del batch
    gc.collect()
    assert (len(workers()), descriptors(), len(registry)) == before


def test_every_thread_has_a_part_in_uneven_work(make):
    batch = make(6, None, record=['time'], threads=2)
    made = batch.rollout(rows=7, count=130)
    np.testing.assert_allclose(made['time'], np.tile(0.26 * np.arange(1, 8), (6, 1)))


@pytest.mark.parametrize(
    'count',
    [pytest.param(100, marks=pytest.mark.slow), pytest.param(1000, marks=pytest.mark.nightly)],
)
def test_many_worlds_move_as_one_does(count):
    before = descriptors()
    with (
        Batch(model(), [Controller], worlds=count, record=['qpos', 'controller.steps']) as batch,
        Batch(model(), [Controller], worlds=1, record=['qpos']) as one,
    ):
        alone = one.rollout(rows=20, count=5)['qpos'][0]
        made = batch.rollout(rows=20, count=5)
        assert (made['qpos'] == alone).all()
        assert (made['controller.steps'][:, -1] == 100).all()
        assert descriptors() < before + 20


@pytest.mark.nightly
def test_memory_and_descriptors_stay_as_they_are_over_many_batches():
    def use() -> None:
        with Batch(model(), [Controller], worlds=20, threads=2) as batch:
            batch.rollout(rows=5)
            batch.reset()

    for _ in range(5):
        use()
    before = memory(), descriptors(), len(registry)
    for _ in range(40):
        use()
    assert memory() - before[0] < 8e6
    assert (descriptors(), len(registry)) == before[1:]
