"""The start of a change of the model."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mujoco_ros_py.simulation import prepared_model

NOW_NS = 10**15


@pytest.fixture
def waits(monkeypatch):
    """Returns `waits(**record)`: for how long the wait for a step of such a loop lasts."""

    def begin(*, due_in_s: float, paused: int = 0, realtime: float = 1.0) -> float:
        slept = [0.0]
        clock = SimpleNamespace(monotonic_ns=lambda: NOW_NS, sleep=slept.append)
        monkeypatch.setattr(prepared_model, 'time', clock)
        deadline_ns = NOW_NS + round(due_in_s * 1e9)
        record = SimpleNamespace(paused=paused, realtime=realtime, deadline_ns=deadline_ns)
        prepared_model.await_step(SimpleNamespace(loop=SimpleNamespace(record=record)))
        return slept[-1]

    return begin


def test_it_waits_for_a_step_that_is_due_soon(waits):
    assert 0.002 < waits(due_in_s=0.002) < 0.003


def test_it_does_not_wait_for_a_step_that_is_late_or_far_away(waits):
    assert waits(due_in_s=-0.001) == waits(due_in_s=0.5) == 0.0


def test_it_does_not_wait_in_a_pause_and_where_no_step_is_paced(waits):
    assert waits(due_in_s=0.002, paused=1) == waits(due_in_s=0.002, realtime=-1.0) == 0.0
