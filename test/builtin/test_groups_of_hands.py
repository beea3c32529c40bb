"""Grippers, hardware over topics, wrenches and mocap poses of several robots in one model."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.session import Session

pytestmark = pytest.mark.slow

ROBOT = """
<body name="{0}/palm" pos="{1} 0 0">
  <joint name="{0}/turn" axis="0 0 1" armature="0.1"/><geom size="0.1" mass="1"/>
  <site name="{0}/point" pos="0 0.1 0"/>
  <body pos="0 0.2 0">
    <joint name="{0}/finger" type="slide" axis="0 1 0" range="0 0.1" limited="true"/>
    <geom size="0.02" mass="0.1"/>
  </body>
</body>
<body name="{0}/target" mocap="true"/>
"""
MODEL = f"""
<mujoco>
  <option gravity="0 0 0" timestep="0.001"/>
  <worldbody>{ROBOT.format('left', 0)}{ROBOT.format('right', 1)}</worldbody>
  <actuator>
    <motor name="left/turn" joint="left/turn"/><motor name="right/turn" joint="right/turn"/>
    <position name="left/grip" joint="left/finger" kp="100" kv="10"/>
    <position name="right/grip" joint="right/finger" kp="100" kv="10"/>
  </actuator>
</mujoco>
"""


def session_of(*plugins: Any) -> Session:
    """Returns a session in which each robot has these plugins."""
    groups = [{'namespace': name, 'plugins': plugins} for name in ('left', 'right')]
    return Session(mujoco.MjModel.from_xml_string(MODEL), plugins=groups, strict=True)


@pytest.mark.parametrize(
    'hand',
    [
        {'type': 'mujoco_ros_py/ParallelGripperController', 'joint': 'finger'},
        {'type': 'mujoco_ros_py/ActuatorGripperController', 'actuator': 'grip'},
    ],
    ids=['joint', 'actuator'],
)
def test_each_robot_has_its_gripper(hand):
    with session_of({**hand, 'name': 'hand'}) as session:
        session.call(lambda m, d: session.plugins['right/hand'].move(d, 0.05))
        session.step(2000)
        assert session.snapshot().data.qpos[[1, 3]] == pytest.approx([0.0, 0.05], abs=1e-3)


def test_each_robot_has_its_hardware_with_names_of_its_own():
    joints = {'turn': 'position', 'finger': 'none'}
    hardware = {
        'type': 'mujoco_ros_py/TopicBasedHardware', 'name': 'hardware', 'joints': joints,
        'joint_commands_topic': 'commands', 'joint_states_topic': 'states',
    }  # fmt: skip
    with session_of(hardware) as session:
        plugin: Any = session.plugins['right/hardware']
        session.call(lambda m, d: plugin.set_commands(['finger', 'turn'], position=[0.3]))
        session.step(2000)
        assert session.snapshot().data.qpos[[0, 2]] == pytest.approx([0.0, 0.3], abs=1e-3)


def test_each_robot_has_its_wrenches_and_frames_are_those_of_tf():
    push = {'type': 'mujoco_ros_py/BodyWrench', 'name': 'push', 'body': 'palm', 'site': 'point'}
    with session_of(push) as session:
        plugin: Any = session.plugins['right/push']
        session.call(lambda m, d: plugin.set_wrench((1.0, 0, 0), (0, 0, 0), 'right/palm'))
        session.step()
        applied = session.snapshot().data.xfrc_applied
        assert [body for body in range(len(applied)) if np.any(applied[body])] == [4]
        assert applied[4] == pytest.approx([1, 0, 0, 0, 0, -0.1])


def test_each_robot_has_its_mocap_body():
    target = {'type': 'mujoco_ros_py/MocapPose', 'name': 'target', 'body': 'target'}
    with session_of(target) as session:
        plugin: Any = session.plugins['right/target']
        session.call(lambda m, d: plugin.set_pose((0.1, 0.2, 0.3)))
        session.step()
        assert session.snapshot().data.mocap_pos.tolist() == [[0, 0, 0], [0.1, 0.2, 0.3]]
