"""ParallelGripperController without ROS: reached goals, stalls, and limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.builtin.controllers.goals.goal_record import SUCCEEDED
from mujoco_ros_py.builtin.controllers.goals.goals import (
    CANCELLED,
    REPLACED,
    RESET,
    STOPPED,
    Pursuit,
)
from mujoco_ros_py.builtin.controllers.grippers.gripper_motion import FORGOTTEN, STALLED
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.session import Session

TYPE = 'mujoco_ros_py/ParallelGripperController'
MOTOR, SERVO = '<motor joint="finger"/>', '<position joint="finger" kp="1000" kv="60"/>'


def gripper(actuator: str, box: str = '') -> str:
    """Returns a model of two fingers without gravity; the second finger follows the first."""
    return f"""
    <mujoco>
      <option timestep="0.002" gravity="0 0 0"/>
      <default><geom solref="0.004 1" solimp="0.99 0.99 0.001"/></default>
      <worldbody>
        {box}
        <body name="left" pos="0 0.06 0">
          <joint name="finger" type="slide" axis="0 -1 0" range="0 0.06" limited="true"/>
          <geom name="left" type="box" size="0.01 0.005 0.02" mass="0.1"/>
        </body>
        <body name="right" pos="0 -0.06 0">
          <joint name="other" type="slide" axis="0 1 0" range="0 0.06" limited="true"/>
          <geom name="right" type="box" size="0.01 0.005 0.02" mass="0.1"/>
        </body>
      </worldbody>
      <equality><joint joint1="other" joint2="finger"/></equality>
      <actuator>{actuator}</actuator>
    </mujoco>
    """


BOX = '<body><freejoint/><geom name="box" type="box" size="0.01 0.02 0.01" mass="0.2"/></body>'
CONTACT = 0.06 - 0.005 - 0.02
"""The position in m at which the fingers touch the box."""


class Gripped:
    """A session with a gripper."""

    def __init__(self, xml: str, **config: Any) -> None:
        plugin = {'type': TYPE, 'name': 'gripper', 'joint': 'finger', **config}
        model = mujoco.MjModel.from_xml_string(xml)
        self.session = Session(model, plugins=[plugin], strict=True)

    @property
    def plugin(self) -> Any:
        return self.session.plugins['gripper']

    def move(self, position: float, **limits: float) -> Pursuit:
        return self.session.call(lambda m, d: self.plugin.move(d, position, **limits))

    def run(self, seconds: float) -> None:
        self.session.step(round(seconds / 0.002))
        self.settle()

    def settle(self) -> None:
        """Settles a goal that has ended."""
        self.session.call(lambda m, d: self.plugin.goals.settle())

    def traced(self, seconds: float) -> np.ndarray[Any, Any]:
        """Returns time, position, velocity and effort after each step."""
        rows = []
        for _ in range(round(seconds / 0.002)):
            self.session.step()
            rows.append(self.session.call(lambda m, d: (d.time, *self.plugin.measured(d))))
        return np.array(rows)

    @property
    def effort(self) -> float:
        return float(self.session.call(lambda m, d: self.plugin.measured(d)[2]))

    @property
    def qpos(self) -> Any:
        return self.session.snapshot().data.qpos


@pytest.fixture
def grip() -> Iterator[Callable[..., Gripped]]:
    made: list[Gripped] = []

    def begin(xml: str, **config: Any) -> Gripped:
        made.append(Gripped(xml, **config))
        return made[-1]

    yield begin
    for each in made:
        each.session.close()


@pytest.mark.parametrize('actuator', [SERVO, MOTOR, ''], ids=['servo', 'motor', 'none'])
def test_a_goal_succeeds_within_the_tolerance_and_the_second_finger_follows(grip, actuator):
    made = grip(gripper(actuator), goal_tolerance=0.001)
    pursuit = made.move(0.03)
    made.run(1.0)
    assert pursuit.end == SUCCEEDED
    assert (pursuit.result.reached, pursuit.result.stalled) == (True, False)
    assert abs(pursuit.result.position - 0.03) < 0.001
    made.run(1.0)
    assert made.qpos == pytest.approx([0.03, 0.03], abs=1e-4)


def test_a_goal_ends_in_the_step_that_takes_the_gripper_within_the_tolerance(grip):
    made = grip(gripper(SERVO), goal_tolerance=0.005)
    pursuit = made.move(0.03)
    rows = made.traced(1.0)
    made.settle()
    first = rows[np.argmax(np.abs(rows[:, 1] - 0.03) < 0.005)]
    assert pursuit.result.time == pytest.approx(first[0])
    assert pursuit.result.position == first[1]


@pytest.mark.parametrize('allowed', [False, True])
def test_a_gripper_stalls_at_an_object_after_the_time_out_in_simulated_time(grip, allowed):
    made = grip(gripper(SERVO, BOX), allow_stalling=allowed, stall_timeout=0.4)
    pursuit = made.move(0.06)
    rows = made.traced(2.0)
    made.settle()
    assert pursuit.end == (SUCCEEDED if allowed else STALLED)
    assert (pursuit.result.reached, pursuit.result.stalled) == (False, True)
    assert pursuit.result.position == pytest.approx(CONTACT, abs=4e-3)
    before = rows[rows[:, 0] < pursuit.result.time + 1e-9]
    moved = before[np.abs(before[:, 2]) > 0.001, 0][-1]
    assert pursuit.result.time - moved == pytest.approx(0.4, abs=0.005)
    assert made.qpos[7] == pytest.approx(CONTACT, abs=4e-3), 'it goes on pressing'


def test_the_effort_of_a_goal_is_what_the_gripper_presses_with(grip):
    made = grip(gripper(SERVO, BOX), allow_stalling=True)
    pursuit = made.move(0.06, max_effort=3.0)
    made.run(3.0)
    assert pursuit.result.effort == pytest.approx(3.0, abs=0.01)
    again = made.move(0.06)
    made.run(3.0)
    assert again.result.effort == pytest.approx(1000 * (0.06 - again.result.position), abs=0.05)


def test_the_usual_effort_is_used_where_a_goal_names_none(grip):
    made = grip(gripper(MOTOR, BOX), allow_stalling=True, max_effort=2.0, max_velocity=0.05)
    pursuit = made.move(0.06)
    made.run(4.0)
    assert pursuit.result.effort == pytest.approx(2.0, abs=0.01)


@pytest.mark.parametrize('actuator', [SERVO, MOTOR, ''], ids=['servo', 'motor', 'none'])
def test_the_velocity_of_a_goal_limits_the_motion(grip, actuator):
    made = grip(gripper(actuator), goal_tolerance=0.001)
    pursuit = made.move(0.05, max_velocity=0.05)
    rows = made.traced(1.5)
    made.settle()
    assert np.abs(rows[:, 2]).max() < 0.05 * 1.25, 'a PID catches up a little'
    assert pursuit.result.time == pytest.approx(0.05 / 0.05, rel=0.1)
    back = made.move(0.0)
    made.run(0.5)
    assert back.end == SUCCEEDED, 'the next goal has no limit'


def test_a_new_goal_replaces_the_present_one_with_a_result(grip):
    made = grip(gripper(SERVO))
    first = made.move(0.05)
    made.run(0.02)
    second = made.move(0.0)
    assert first.end == REPLACED
    assert 0.0 < first.result.position < 0.04
    made.run(1.0)
    assert second.end == SUCCEEDED


def test_a_cancelled_goal_holds_the_position(grip):
    made = grip(gripper(SERVO))
    pursuit = made.move(0.06, max_velocity=0.05)
    made.run(0.5)
    made.session.call(lambda m, d: made.plugin.goals.end(CANCELLED))
    there = made.qpos[0]
    made.run(2.0)
    assert pursuit.end == CANCELLED
    assert made.qpos[0] == pytest.approx(there, abs=1e-4)


def test_a_reset_and_an_emergency_stop_end_the_goal(grip):
    made = grip(gripper(SERVO))
    first = made.move(0.05)
    made.session.reset()
    assert first.end == RESET
    second = made.move(0.05, max_velocity=0.02)
    made.run(0.5)
    stop = made.plugin.environment.emergency_stop
    stop(True).result(DEADLINE_S)
    assert second.end == STOPPED
    there = made.qpos[0]
    assert made.move(0.05).end == STOPPED
    made.run(1.0)
    assert made.qpos[0] == pytest.approx(there, abs=1e-4)
    stop(False).result(DEADLINE_S)
    last = made.move(0.05)
    made.run(1.0)
    assert last.end == SUCCEEDED


def test_a_time_that_jumps_back_ends_the_goal(grip):
    made = grip(gripper(SERVO))
    pursuit = made.move(0.05, max_velocity=0.01)
    made.run(1.0)
    made.session.call(lambda m, d: setattr(d, 'time', 0.0))
    made.run(0.01)
    assert pursuit.end == FORGOTTEN


def test_the_judgement_may_change_while_it_runs(grip):
    made = grip(gripper(SERVO, BOX), stall_timeout=1e6)
    pursuit = made.move(0.06)
    made.run(2.0)
    assert not pursuit.ended
    config = made.plugin.config
    changed = type(config)(joint='finger', stall_timeout=0.1, allow_stalling=True)
    made.session.call(lambda m, d: made.plugin.configure(changed))
    made.run(0.1)
    assert pursuit.end == SUCCEEDED


@pytest.mark.parametrize(
    'changed',
    [{'goal_tolerance': 0.02}, {'stall_timeout': 0.7}, {'bandwidth': 20.0}, {'gains': {}}],
    ids=str,
)
def test_the_limits_of_a_goal_outlast_a_live_change(grip, changed):
    made = grip(gripper(SERVO, BOX), allow_stalling=True)
    made.move(0.06, max_effort=3.0, max_velocity=0.05)
    made.run(2.0)
    made.session.configure('gripper', **changed)
    made.run(1.0)
    assert made.effort == pytest.approx(3.0, abs=0.01)
    assert made.plugin.state.drive[0]['max_velocity'] == 0.05
    assert made.plugin.state.drive[0]['ramps']
    pursuit = made.move(0.06)
    made.run(2.0)
    assert pursuit.result.effort > 5.0, 'the next goal has no limit'


def test_a_clamp_that_changes_while_it_runs_counts_beside_the_limit_of_the_goal(grip):
    made = grip(gripper(SERVO, BOX), allow_stalling=True)
    made.move(0.06, max_effort=3.0)
    made.run(2.0)
    for clamp, effort in ((2.0, 2.0), (4.0, 3.0), (math.inf, 3.0)):
        made.session.configure('gripper', gains={'finger': {'u_clamp_max': clamp}})
        made.run(1.0)
        assert made.effort == pytest.approx(effort, abs=0.01)


def test_the_limits_of_a_goal_come_back_with_a_restored_state(grip):
    made = grip(gripper(SERVO, BOX), allow_stalling=True)
    made.move(0.06, max_effort=3.0, max_velocity=0.05)
    made.run(2.0)
    saved = made.session.save()
    made.move(0.06)
    made.run(2.0)
    made.session.restore(saved)
    made.session.configure('gripper', goal_tolerance=0.02)
    made.run(0.1)
    assert made.effort == pytest.approx(3.0, abs=0.01)


@pytest.mark.parametrize('wrong', [math.nan, math.inf])
def test_a_goal_that_is_not_finite_is_refused(grip, wrong):
    made = grip(gripper(SERVO))
    with pytest.raises(ConfigError, match='finite'):
        made.move(wrong)


@pytest.mark.slow
@pytest.mark.parametrize(
    ('config', 'reason'),
    [
        ({}, 'joint must be given'),
        ({'joint': 'other'}, 'it follows finger by an equality'),
        ({'joint': 'finger', 'command_timeout': 1.0}, 'command_timeout must be 0'),
        ({'joint': 'finger', 'action_monitor_rate': 0.0}, 'action_monitor_rate'),
        ({'joint': 'finger', 'action_type': 'Gripper'}, 'action_type must be one of'),
    ],
)
def test_a_wrong_configuration_is_refused(config, reason):
    model = mujoco.MjModel.from_xml_string(gripper(SERVO))
    with Session(model, plugins=[{'type': TYPE, 'name': 'gripper', **config}]) as session:
        assert reason in session.problems[0]
