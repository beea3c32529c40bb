"""ActuatorGripperController without ROS: hands whose fingers are moved by one tendon."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.builtin.controllers.goals.goal_record import SUCCEEDED
from mujoco_ros_py.builtin.controllers.goals.goals import CANCELLED, STOPPED, Pursuit
from mujoco_ros_py.builtin.controllers.grippers.gripper_motion import FORGOTTEN, STALLED
from mujoco_ros_py.session import Session

TYPE = 'mujoco_ros_py/ActuatorGripperController'
# As the hand of a Panda in the Menagerie: 0 to 255 are 0 to 0.04 m.
SERVO = """<general name="hand" tendon="split" ctrllimited="true" ctrlrange="0 255"
  gainprm="0.0156862745" biastype="affine" biasprm="0 -100 -10" forcerange="-100 100"/>"""
FILTERED = '<position name="hand" tendon="split" kp="100" kv="10" timeconst="0.05"/>'
ON_JOINT = '<position name="hand" joint="left" kp="100" kv="10" gear="2"/>'
MOTOR = '<motor name="hand" tendon="split"/>'


def hand(actuator: str = SERVO, box: bool = False) -> str:
    """Returns a hand with two fingers on a tendon, without gravity; `box` adds a box to grip."""
    thing = '<body><geom name="box" type="box" size="0.01 0.02 0.01"/></body>' if box else ''
    return f"""
    <mujoco>
      <option timestep="0.002" gravity="0 0 0"/>
      <default>
        <joint type="slide" range="0 0.04" limited="true" armature="0.1"/>
        <geom solref="0.004 1" solimp="0.99 0.99 0.001"/>
      </default>
      <worldbody>
        {thing}
        <body pos="0 0.005 0"><joint name="left" axis="0 1 0"/>
          <geom type="box" size="0.01 0.005 0.01" mass="0.015"/></body>
        <body pos="0 -0.005 0"><joint name="right" axis="0 -1 0"/>
          <geom type="box" size="0.01 0.005 0.01" mass="0.015"/></body>
      </worldbody>
      <tendon><fixed name="split">
        <joint joint="left" coef="0.5"/><joint joint="right" coef="0.5"/>
      </fixed></tendon>
      <equality><joint joint1="left" joint2="right"/></equality>
      <actuator>{actuator}</actuator>
    </mujoco>
    """


class Held:
    """A session with a hand that is open at the start."""

    def __init__(self, xml: str, **config: Any) -> None:
        plugin = {'type': TYPE, 'name': 'hand', 'actuator': 'hand', 'goal_tolerance': 1e-3}
        model = mujoco.MjModel.from_xml_string(xml)
        where = {'left': 0.04, 'right': 0.04}
        self.session = Session(model, plugins=[{**plugin, **config}], strict=True, positions=where)

    @property
    def plugin(self) -> Any:
        return self.session.plugins['hand']

    def move(self, position: float, **limits: float) -> Pursuit:
        return self.session.call(lambda m, d: self.plugin.move(d, position, **limits))

    def run(self, seconds: float) -> None:
        self.session.step(round(seconds / 0.002))
        self.session.call(lambda m, d: self.plugin.goals.settle())

    @property
    def fingers(self) -> Any:
        return self.session.snapshot().data.qpos[-2:]


@pytest.fixture
def held() -> Iterator[Callable[..., Held]]:
    made: list[Held] = []

    def begin(xml: str = '', **config: Any) -> Held:
        made.append(Held(xml or hand(), **config))
        return made[-1]

    yield begin
    for each in made:
        each.session.close()


@pytest.mark.parametrize('actuator', [SERVO, FILTERED, ON_JOINT], ids=['servo', 'filter', 'joint'])
def test_it_holds_where_it_begins_and_reaches_goals_in_the_units_of_the_tendon(held, actuator):
    made = held(hand(actuator))
    made.run(1.0)
    assert made.fingers == pytest.approx([0.04, 0.04], abs=1e-4)
    pursuit = made.move(0.01)
    made.run(3.0)
    assert pursuit.end == SUCCEEDED
    assert made.fingers == pytest.approx([0.01, 0.01], abs=1e-3)


def test_positions_of_ones_own_are_those_at_the_ends_of_the_range_of_the_control(held):
    made = held(positions=[0.8, 0.0], goal_tolerance=0.02)
    assert made.plugin.measured(made.session.snapshot().data)[0] == pytest.approx(0.0, abs=1e-6)
    pursuit = made.move(0.6)
    made.run(3.0)
    assert pursuit.end == SUCCEEDED
    assert made.fingers == pytest.approx([0.01, 0.01], abs=1e-3)


@pytest.mark.parametrize('allowed', [False, True])
def test_it_stalls_at_an_object_and_presses_with_the_effort_of_the_goal(held, allowed):
    made = held(hand(box=True), allow_stalling=allowed, stall_timeout=0.3)
    pursuit = made.move(0.0, max_effort=0.5)
    made.run(4.0)
    assert pursuit.end == (SUCCEEDED if allowed else STALLED)
    assert pursuit.result.stalled
    assert pursuit.result.position == pytest.approx(0.02, abs=2e-3)
    assert pursuit.result.effort == pytest.approx(-0.5, abs=1e-3)


def test_the_velocity_of_a_goal_limits_the_motion(held):
    made = held()
    pursuit = made.move(0.0, max_velocity=0.02)
    made.run(4.0)
    assert pursuit.result.time == pytest.approx(0.04 / 0.02, rel=0.1)


def test_a_cancelled_goal_and_an_emergency_stop_hold_the_position(held):
    made = held()
    first = made.move(0.0, max_velocity=0.02)
    made.run(1.0)
    made.session.call(lambda m, d: made.plugin.goals.end(CANCELLED))
    there = made.fingers[0]
    made.run(2.0)
    assert first.end == CANCELLED
    assert made.fingers[0] == pytest.approx(there, abs=1e-4)
    second = made.move(0.0, max_velocity=0.02)
    made.run(0.2)
    stop = made.plugin.environment.emergency_stop
    assert stop(True).result(DEADLINE_S) == ['hand']
    there = made.fingers[0]
    assert second.end == STOPPED
    made.run(2.0)
    assert made.fingers[0] == pytest.approx(there, abs=1e-4)
    assert made.move(0.0).end == STOPPED


def test_a_reset_and_a_time_that_jumps_back_end_the_goal_and_hold(held):
    made = held()
    made.move(0.0, max_velocity=0.01)
    made.run(1.0)
    made.session.reset()
    made.run(1.0)
    assert made.fingers == pytest.approx([0.04, 0.04], abs=1e-4)
    pursuit = made.move(0.0, max_velocity=0.01)
    made.run(1.0)
    made.session.call(lambda m, d: setattr(d, 'time', 0.0))
    made.run(0.1)
    assert pursuit.end == FORGOTTEN


def test_its_joints_belong_to_it():
    arm = {'type': 'mujoco_ros_py/ForwardCommandController', 'name': 'arm', 'joints': ['right'],
           'interface_name': 'position'}  # fmt: skip
    plugins = [{'type': TYPE, 'name': 'hand', 'actuator': 'hand'}, arm]
    with Session(mujoco.MjModel.from_xml_string(hand()), plugins=plugins) as session:
        (problem,) = session.problems
    assert 'joint right has no actuator of its own, and is moved by actuator hand' in problem


@pytest.mark.parametrize(
    ('actuator', 'config', 'reason'),
    [
        (SERVO, {'actuator': 'hnd'}, "unknown actuator 'hnd' (did you mean 'hand'?); known: hand"),
        (MOTOR, {}, 'actuator hand must be a position servo'),
        (SERVO, {'positions': [0.1, 0.1]}, 'the two positions must differ'),
        (FILTERED, {'positions': [0.0, 0.1]}, 'positions needs a ctrlrange, but actuator'),
    ],
)
def test_a_wrong_configuration_is_refused(actuator, config, reason):
    plugin = {'type': TYPE, 'name': 'hand', 'actuator': 'hand', **config}
    with Session(mujoco.MjModel.from_xml_string(hand(actuator)), plugins=[plugin]) as session:
        assert reason in session.problems[0]


def test_the_effort_counts_along_the_position(held):
    made = held(hand(ON_JOINT))
    made.move(0.01)
    made.run(0.01)

    def compare(model: Any, data: Any) -> Any:
        mujoco.mj_forward(model, data)
        return made.plugin.measured(data)[2], data.qfrc_actuator[0]

    effort, applied = made.session.call(compare)
    assert math.isclose(effort, applied)
    assert np.isfinite(effort)
