"""The topics of a trajectory controller at moments that are hard to meet over DDS."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import mujoco
from builtin.controllers.trajectories.trajectory_messages import trajectory
from control_msgs.action import FollowJointTrajectory

from mujoco_ros_py.builtin.controllers.trajectories.trajectory_topics import TrajectoryTopics
from mujoco_ros_py.session import Session

MODEL = """
<mujoco>
  <worldbody><body><joint name="turn"/><geom size="0.1"/></body></worldbody>
</mujoco>
"""
CONTROLLER = {
    'type': 'mujoco_ros_py/JointTrajectoryController',
    'name': 'arm',
    'joints': ['turn'],
}


def test_each_feedback_is_complete_and_a_goal_that_has_just_ended_gets_none():
    asked = FollowJointTrajectory.Goal(trajectory=trajectory((1.0, (0.5,)), joints=['turn']))
    with Session(mujoco.MjModel.from_xml_string(MODEL), plugins=[CONTROLLER]) as session:
        plugin: Any = session.plugins['arm']
        made = session.call(lambda model, data: topics_of(plugin))
        assert made._feedback(session.snapshot()) is None
        read, _ = made._read(asked)
        session.call(lambda model, data: plugin.pursue(read, data))
        session.step(10)
        told = made._feedback(session.snapshot())
        for point in (told.desired, told.actual, told.error):
            assert len(point.positions) == len(point.velocities) == 1
        session.call(lambda model, data: plugin.reset(model, data))
        assert made._feedback(session.snapshot()) is None


def test_goals_that_are_rejected_for_several_reasons_are_all_said(caplog):
    with Session(mujoco.MjModel.from_xml_string(MODEL), plugins=[CONTROLLER]) as session:
        plugin: Any = session.plugins['arm']
        session.call(lambda model, data: topics_of(plugin))
        offered = plugin.environment.ros.create_action_server.call_args
        accept = offered.kwargs['goal_callback']
        unknown = [trajectory((1.0, (0.5,)), joints=[name]) for name in ('elbow', 'wrist')]
        for wrong in (*unknown, trajectory(joints=['turn'])):
            assert not accept(FollowJointTrajectory.Goal(trajectory=wrong))
    for name in ('elbow', 'wrist'):
        assert f'a goal was rejected: unknown joints: {name}; known: turn' in caplog.text
    assert 'a goal was rejected: a trajectory needs points, and has none' in caplog.text


def topics_of(plugin: Any) -> TrajectoryTopics:
    """Connects a plugin of a session to a ROS stand-in that receives nothing."""
    plugin.environment.ros = Mock()
    return TrajectoryTopics(plugin)
