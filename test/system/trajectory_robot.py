"""A robot with a JointTrajectoryController, and a client that sends what MoveIt sends."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from action_msgs.msg import GoalStatus
from builtin.controllers.trajectories.trajectory_messages import duration, trajectory
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory

pytest.importorskip('control_msgs', reason='control_msgs is not there')
from control_msgs.action import FollowJointTrajectory
from control_msgs.srv import QueryTrajectoryState

from .harness import answered_goal, seconds, wait_until
from .standard_requests import done

ROBOT = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.001"/>
  <worldbody>
    <body>
      <joint name="turn" axis="0 0 1" range="-3 3" limited="true"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
      <body pos="0.3 0 0">
        <joint name="lift" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.5"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="turn"/><position joint="lift" kp="100" kv="8"/></actuator>
</mujoco>
"""
ARM = {
    'type': 'mujoco_ros_py/JointTrajectoryController',
    'name': 'arm',
    'joints': ['turn', 'lift'],
    'bandwidth': 60.0,
    'constraints': {'turn': {'trajectory': 0.1, 'goal': 0.02}},
}
STOP = {'type': 'mujoco_ros_py/EmergencyStop'}
REST = (0.0, 0.0)
THERE = (1.0, -0.5)
MOVE = trajectory((1.0, THERE, REST))
RETURN = trajectory((1.0, REST, REST))
SLOW = trajectory((60.0, THERE, REST))
SUCCEEDED, CANCELED, ABORTED = (
    GoalStatus.STATUS_SUCCEEDED,
    GoalStatus.STATUS_CANCELED,
    GoalStatus.STATUS_ABORTED,
)


class Goal:
    """A goal that was sent, with its feedback."""

    def __init__(self, robot: Robot, message: Any) -> None:
        self.feedback: list[Any] = []
        self.handle = answered_goal(
            robot.actions, message, lambda given: self.feedback.append(given.feedback)
        )
        self.accepted = self.handle.accepted
        if self.accepted:
            self._result = self.handle.get_result_async()

    def cancel(self) -> None:
        done = self.handle.cancel_goal_async()
        wait_until(done.done, 'an answer to the cancellation')
        assert done.result().goals_canceling

    @property
    def ended(self) -> bool:
        return bool(self._result.done())

    def end(self) -> tuple[int, int, str]:
        """Waits for the end; returns the status, the error code and the error."""
        wait_until(self._result.done, 'the result')
        given = self._result.result()
        return given.status, given.result.error_code, given.result.error_string


class Robot:
    """What a program that moves the robot sees."""

    def __init__(self, process: Any, client: Any) -> None:
        self.process, self.client = process, client
        self.timestep = 0.001
        self.states = client.collect(JointState, 'joint_states')
        self.actions = client.actions(FollowJointTrajectory, '/arm/follow_joint_trajectory')
        self._topic = client.node.create_publisher(JointTrajectory, '/arm/joint_trajectory', 10)
        assert self.actions.wait_for_server(60.0)
        wait_until(lambda: self.states, 'joint states')
        wait_until(self._topic.get_subscription_count, 'the subscription of trajectories')

    def goal(self, message: Any, **fields: Any) -> Goal:
        return Goal(self, FollowJointTrajectory.Goal(trajectory=message, **fields))

    def publish(self, message: Any) -> None:
        self._topic.publish(message)

    @property
    def time(self) -> float:
        return stamped(self.states[-1])

    @property
    def positions(self) -> list[float]:
        return self.positions_of(self.states[-1])

    @staticmethod
    def positions_of(state: JointState) -> list[float]:
        return [state.position[state.name.index(joint)] for joint in ('turn', 'lift')]

    def reach(self, *wanted: float, within: float = 0.02) -> None:
        def there() -> bool:
            return bool(np.abs(np.subtract(self.positions, wanted)).max() < within)

        wait_until(there, f'positions {wanted}')

    def until(self, time: float) -> None:
        wait_until(lambda: self.time >= time, f'{time} s')

    def pause(self, paused: bool) -> None:
        """Pauses and waits for the states of the pause, or goes on."""
        assert self.client.pause(paused).success
        count = len(self.states)

        def repeated() -> bool:
            stamps = [each.header.stamp for each in self.states[-2:]]
            return len(self.states) > count and stamps[0] == stamps[-1]

        if paused:
            wait_until(repeated, 'the states of the pause, which come again and again')

    def step(self, count: int = 1) -> None:
        """Makes steps in a pause, and waits for the joint states after them."""
        end = self.time + (count - 0.5) * self.timestep
        done(self.client, 'StepSimulation', steps=count)
        wait_until(lambda: self.time > end, 'the states after the steps')

    def rest(self) -> None:
        """Waits until nothing has moved for a second, which begins when this is called."""
        self.until(self.time + 2.0)  # the states may come later than what was seen to happen

        def rests() -> bool:
            last = [each for each in list(self.states) if self.time - stamped(each) < 1.0]
            rows = np.array([each.position for each in last])
            return len(rows) > 10 and bool(np.ptp(rows, axis=0).max() < 0.002)

        wait_until(rests, 'a second of rest')

    def query(self, time: float) -> Any:
        request = QueryTrajectoryState.Request(time=duration(time, JointState().header.stamp))
        return self.client.call(QueryTrajectoryState, '/arm/query_state', request)


def stamped(message: Any) -> float:
    return seconds(message.header.stamp)


def robots(start: Callable[..., Any]) -> Callable[..., Robot]:
    """Returns `robot(*plugins, **parameters)`: the robot of a server with these."""

    def begin(*plugins: Any, **parameters: Any) -> Robot:
        listed = json.dumps(plugins or (ARM,))
        given = {'mujoco_xml': ROBOT, 'MujocoPlugins': listed, 'realtime': 4.0,
                 'joint_states_rate': 25.0, **parameters}  # fmt: skip
        return Robot(*start(given))

    return begin


def shared_robots(share: Callable[..., Any]) -> Callable[..., Robot]:
    """Returns `robot(*plugins, **parameters)`: the robot of a server that several tests use."""

    def begin(*plugins: Any, joint_states_rate: float = 25.0, **parameters: Any) -> Robot:
        at_rest = {'mujoco_xml': ROBOT, 'modelfile': '', 'MujocoPlugins': '[]', 'realtime': 4.0,
                   'joint_states_rate': joint_states_rate, 'unpause': False}  # fmt: skip
        given = {'MujocoPlugins': json.dumps(plugins or (ARM,)), **parameters}
        process, client = share(at_rest, given=given)
        assert client.pause(False).success
        return Robot(process, client)

    return begin
