"""What clients of goals hear when the controllers end: of trajectories and of both grippers."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from builtin.controllers.trajectories.trajectory_messages import trajectory
from sensor_msgs.msg import JointState

pytest.importorskip('control_msgs', reason='control_msgs is not there')
pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from control_msgs.action import FollowJointTrajectory, GripperCommand, ParallelGripperCommand
from simulation_interfaces.srv import ResetSimulation

from .harness import answered_goal, seconds, wait_until
from .standard_requests import done

pytestmark = pytest.mark.slow
HALL = '<mujoco model="hall"/>'
ROBOT = """
<mujoco model="robot">
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body>
      <joint name="turn" axis="0 0 1"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body pos="0.4 0.06 0">
        <joint name="finger" type="slide" axis="0 -1 0"/>
        <geom type="box" size="0.01 0.005 0.02" mass="0.1"/>
      </body>
      <body pos="0.4 -0.06 0">
        <joint name="thumb" type="slide" axis="0 1 0"/>
        <geom type="box" size="0.01 0.005 0.02" mass="0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="hand" joint="thumb" kp="1000" kv="60"/>
  </actuator>
</mujoco>
"""
PLUGINS = """
- {type: mujoco_ros_py/JointTrajectoryController, name: arm, joints: [turn]}
- {type: mujoco_ros_py/ParallelGripperController, name: gripper, joint: finger, max_velocity: 1e-3}
- {type: mujoco_ros_py/ActuatorGripperController, name: hand, actuator: hand, max_velocity: 1e-3,
   action_type: GripperCommand}
"""
SPAWNED = ResetSimulation.Request.SCOPE_SPAWNED
ENDS: dict[str, Callable[[Any, Any], object]] = {
    'delete_entity': lambda _, client: done(client, 'DeleteEntity', entity='robot'),
    'reset of what was spawned': lambda _, client: done(client, 'ResetSimulation', scope=SPAWNED),
    'load_world': lambda _, client: done(client, 'LoadWorld', resource_string=HALL),
    'unload_world': lambda _, client: done(client, 'UnloadWorld'),
    'reload': lambda _, client: client.trigger('reload'),
    'shutdown': lambda _, client: client.trigger('shutdown'),
    'a signal': lambda process, _: process.signal(signal.SIGINT),
}


class Robot:
    """A robot with three controllers, spawned into a server, and a client of its actions."""

    def __init__(self, client: Any, uri: str) -> None:
        self._client = client
        done(client, 'SpawnEntity', uri=uri, name='robot')
        assert client.pause(False).success
        self._results: dict[str, Any] = {}
        self._send(FollowJointTrajectory, 'arm/follow_joint_trajectory', self._follow())
        grip = ParallelGripperCommand.Goal(command=JointState(position=[0.05]))
        self._send(ParallelGripperCommand, 'gripper/gripper_cmd', grip)
        old = GripperCommand.Goal()
        old.command.position = 0.05
        self._send(GripperCommand, 'hand/gripper_cmd', old)
        begin = self._time()
        wait_until(lambda: self._time() > begin + 0.1, 'a way of all joints')

    def _time(self) -> float:
        state = done(self._client, 'GetEntityState', entity='robot').state
        return seconds(state.header.stamp)

    def _follow(self) -> Any:
        slow = trajectory((600.0, (1.0,)), joints=['turn'])
        return FollowJointTrajectory.Goal(trajectory=slow)

    def _send(self, kind: Any, name: str, goal: Any) -> None:
        actions = self._client.actions(kind, f'/robot/{name}')
        wait_until(actions.server_is_ready, 'the action')
        handle = answered_goal(actions, goal)
        assert handle.accepted
        self._results[name] = handle.get_result_async()

    def results(self) -> dict[str, Any]:
        """Returns the results of all goals, which were aborted, by the controllers' names."""
        wait_until(lambda: all(each.done() for each in self._results.values()), 'the results')
        given = {name.split('/')[0]: each.result() for name, each in self._results.items()}
        assert {each.status for each in given.values()} == {GoalStatus.STATUS_ABORTED}
        return {name: each.result for name, each in given.items()}


def check(results: dict[str, Any], text: str) -> None:
    assert (results['arm'].error_code, results['arm'].error_string) == (-1, text)
    parallel, old = results['gripper'], results['hand']
    assert parallel.state.name == ['finger']
    assert parallel.state.position[0] > 0.0
    assert old.position > 0.0
    for each in (parallel, old):
        assert (each.stalled, each.reached_goal) == (False, False)


@pytest.mark.parametrize('end', ENDS)
def test_goals_of_controllers_that_are_unloaded_tell_why_they_have_ended(share, tmp_path, end):
    (tmp_path / 'robot.xml').write_text(ROBOT)
    (tmp_path / 'robot.plugins.yaml').write_text(PLUGINS)
    process, client = share({'mujoco_xml': HALL, 'modelfile': '', 'unpause': False})
    robot = Robot(client, str(tmp_path / 'robot.xml'))
    ENDS[end](process, client)
    check(robot.results(), 'the controller was unloaded')
    if end in ('shutdown', 'a signal'):
        assert process.wait() == 0
