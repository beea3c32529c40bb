"""Goals without ROS: the reasons for their ends, the order of ends, and the state afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.builtin.controllers.goals.goal_record import (
    FIRST_OF_PLUGIN,
    SUCCEEDED,
    end_goal,
    pursues_goal,
)
from mujoco_ros_py.builtin.controllers.goals.goals import (
    CANCELLED,
    FAILED,
    REPLACED,
    RESET,
    RESTORED,
    STOPPED,
    UNLOADED,
    Goals,
    PursuesGoals,
    Pursuit,
    goal_fields,
)
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state
from mujoco_ros_py.session import Session

LATE = FIRST_OF_PLUGIN


class Waiting(PursuesGoals[Any], MujocoPlugin[Any]):
    """A plugin whose goals end at a given time, with or without success."""

    def load(self, model: Any, data: Any) -> None:
        """Creates the goals."""
        self.state = new_state(until=0.0, late=0.0, stopped=False, breaks=False, **goal_fields())
        self.still = 0
        self.goals = Goals(
            self, rate_hz=50.0, result=lambda end: (end, float(self.state.until)),
            cancelled=self.hold, reasons={LATE: 'it is too late'},
        )  # fmt: skip

    def hold(self) -> None:
        """Counts the cancelled goals."""
        self.still += 1

    def wait_for(self, until: float, late: float = 1e9) -> Pursuit:
        """Begins a goal, on the physics thread."""
        pursuit = self.goals.begin()
        self.state.until, self.state.late = until, late
        return pursuit

    def emergency_stop(self, model: Any, data: Any, stopped: bool) -> None:
        """Stores the stop in the state, and ends the goal."""
        self.state.stopped = stopped
        super().emergency_stop(model, data, stopped)

    @staticmethod
    @compiled
    def last_stage_callback(state: Any, model: Any, data: Any) -> None:
        """Ends the goal at its time."""
        if state.breaks:
            raise ValueError('worn out')
        if pursues_goal(state):
            if data.time > state.late:
                end_goal(state, LATE)
            elif data.time > state.until:
                end_goal(state, SUCCEEDED)


@pytest.fixture
def session() -> Iterator[Session]:
    model = mujoco.MjModel.from_xml_string('<mujoco><option timestep="0.01"/></mujoco>')
    with Session(model, plugins=[{'type': Waiting, 'name': 'waiting'}], strict=True) as made:
        yield made


def begin(session: Session, *times: float) -> Pursuit:
    return session.call(lambda m, d: session.plugins['waiting'].wait_for(*times))


def settle(session: Session) -> None:
    session.call(lambda m, d: session.plugins['waiting'].goals.settle())


def end(session: Session, reason: int) -> None:
    session.call(lambda m, d: session.plugins['waiting'].goals.end(reason))


def test_compiled_code_ends_a_goal_and_who_waits_for_it_hears_of_that(session):
    pursuit = begin(session, 0.5)
    session.step(45)
    settle(session)
    assert not pursuit.ended
    session.step(7)
    assert pursuit.wait(DEADLINE_S), 'a follower sees the end'
    assert (pursuit.end, pursuit.result) == (SUCCEEDED, (SUCCEEDED, 0.5))
    assert session.plugins['waiting'].goals.present is None


def test_an_end_of_the_plugins_own_has_its_own_reason(session):
    pursuit = begin(session, 9.0, 0.1)
    session.step(12)
    settle(session)
    assert pursuit.end == LATE
    assert session.plugins['waiting'].goals.reason(LATE) == 'it is too late'


def test_a_new_goal_replaces_the_present_one(session):
    first, second = begin(session, 0.5), begin(session, 0.7)
    assert (first.end, second.ended) == (REPLACED, False)
    session.step(72)
    settle(session)
    assert second.end == SUCCEEDED


def test_what_compiled_code_has_ended_counts_even_if_nobody_has_looked_yet(session):
    first = begin(session, 0.0)
    session.step(2)
    begin(session, 9.0)
    assert first.end == SUCCEEDED


def test_a_cancelled_goal_holds_still_and_another_end_does_not(session):
    first = begin(session, 9.0)
    end(session, CANCELLED)
    assert (first.end, session.plugins['waiting'].still) == (CANCELLED, 1)
    begin(session, 9.0)
    end(session, REPLACED)
    end(session, CANCELLED)
    assert session.plugins['waiting'].still == 1, 'there was no goal any more'


def test_a_reset_a_restored_state_and_the_unload_end_a_goal(session):
    first = begin(session, 9.0)
    saved = session.save()
    session.reset()
    assert first.end == RESET
    second = begin(session, 0.2)
    session.restore(saved)
    assert second.end == RESTORED
    session.step(30)
    settle(session)
    third = begin(session, 9.0)
    session.reload()
    assert third.end == UNLOADED


def test_a_goal_of_a_controller_that_fails_ends_and_its_result_is_made(session):
    pursuit = begin(session, 9.0)
    session.call(lambda m, d: setattr(session.plugins['waiting'].state, 'breaks', True))
    session.step()
    assert pursuit.wait(DEADLINE_S)
    assert (pursuit.end, pursuit.result) == (FAILED, (FAILED, 9.0))


def test_an_emergency_stop_ends_the_goal_and_those_that_come_while_it_is_on(session):
    first = begin(session, 9.0)
    stop = session.plugins['waiting'].environment.emergency_stop
    assert stop(True).result(DEADLINE_S) == ['waiting']
    assert first.end == STOPPED
    assert begin(session, 9.0).end == STOPPED
    stop(False).result(DEADLINE_S)
    assert not begin(session, 9.0).ended
