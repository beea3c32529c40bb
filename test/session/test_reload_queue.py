from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import EndedError, SimulationError
from mujoco_ros_py.session import reload_queue
from mujoco_ros_py.session.reload_queue import ReloadQueue


@pytest.fixture
def blocked() -> Callable[[], tuple[Any, ...]]:
    """`blocked()`: a function that requests waiting reloads, and their queue.

    The first reload sets the event `begun`, and waits for the event `gate`.
    """

    def make() -> tuple[Callable[[], Future], ReloadQueue, threading.Event, threading.Event]:
        gate, begun = threading.Event(), threading.Event()

        def reload() -> list[str]:
            begun.set()
            assert gate.wait(DEADLINE_S)
            return []

        several = ReloadQueue(lambda: None)
        several.start()
        return partial(several.submit, reload), several, begun, gate

    return make


def test_they_run_one_after_the_other_and_each_failure_is_its_own(caplog):
    def fail() -> list[str]:
        raise ValueError('broken')

    several = ReloadQueue(lambda: None)
    asked = [several.submit(load) for load in (list, fail, list)]
    several.start()
    assert [type(future.exception(DEADLINE_S)) for future in asked] == [
        type(None),
        ValueError,
        type(None),
    ]
    several.close()
    (told,) = caplog.records
    assert told.exc_info[1] is asked[1].exception(), 'the traceback of what nobody expects'


def test_one_that_never_ends_does_not_keep_the_others_waiting_for_ever(blocked, monkeypatch):
    monkeypatch.setattr(reload_queue, '_START_TIMEOUT_S', 0.2)
    ask, several, begun, gate = blocked()
    first = ask()
    assert begun.wait(DEADLINE_S)
    second = ask()
    with pytest.raises(SimulationError, match='another reload has been under way for more than'):
        second.result(DEADLINE_S)
    assert not first.done()
    gate.set()
    first.result(DEADLINE_S)
    ask().result(DEADLINE_S)
    several.close()


def test_the_end_answers_the_one_under_way_and_those_that_wait(blocked):
    ask, several, begun, gate = blocked()
    asked = [ask() for _ in range(3)]
    assert begun.wait(DEADLINE_S)
    several.close()
    for future in [*asked, ask()]:
        with pytest.raises(EndedError, match='shutting down'):
            future.result(DEADLINE_S)
    gate.set()
