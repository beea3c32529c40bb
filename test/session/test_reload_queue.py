from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import EndedError, SimulationError
from mujoco_ros_py.session import reload_queue
from mujoco_ros_py.session.reload_queue import ReloadQueue


@pytest.fixture
def blocked() -> Callable[[], tuple[ReloadQueue, threading.Event, threading.Event]]:
    """`blocked()`: reloads that wait; `begun` is set by the first, `gate` lets them go on."""

    def make() -> tuple[ReloadQueue, threading.Event, threading.Event]:
        gate, begun = threading.Event(), threading.Event()

        def reload() -> None:
            begun.set()
            assert gate.wait(DEADLINE_S)

        several = ReloadQueue(reload)
        several.start()
        return several, begun, gate

    return make


def test_they_run_one_after_the_other_and_each_failure_is_its_own():
    results = iter([None, ValueError('broken'), None])

    def reload() -> None:
        if (error := next(results)) is not None:
            raise error

    several = ReloadQueue(reload)
    asked = [several.submit() for _ in range(3)]
    several.start()
    assert [type(future.exception(DEADLINE_S)) for future in asked] == [
        type(None),
        ValueError,
        type(None),
    ]
    several.close()


def test_one_that_never_ends_does_not_keep_the_others_waiting_for_ever(blocked, monkeypatch):
    monkeypatch.setattr(reload_queue, '_START_TIMEOUT_S', 0.2)
    several, begun, gate = blocked()
    first = several.submit()
    assert begun.wait(DEADLINE_S)
    second = several.submit()
    with pytest.raises(SimulationError, match='another reload has been under way for more than'):
        second.result(DEADLINE_S)
    assert not first.done()
    gate.set()
    first.result(DEADLINE_S)
    several.submit().result(DEADLINE_S)
    several.close()


def test_the_end_answers_the_one_under_way_and_those_that_wait(blocked):
    several, begun, gate = blocked()
    asked = [several.submit() for _ in range(3)]
    assert begun.wait(DEADLINE_S)
    several.close()
    for future in [*asked, several.submit()]:
        with pytest.raises(EndedError, match='shutting down'):
            future.result(DEADLINE_S)
    gate.set()
