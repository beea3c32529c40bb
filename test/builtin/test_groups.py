"""Plugins of several robots in one model, without ROS; tests over DDS are in test/system."""

from __future__ import annotations

from collections.abc import Iterator

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.session import Session

BODY = """
<body name="{0}/link" pos="{1} 0 0">
  <joint name="{0}/turn" axis="0 0 1" armature="0.1"/><geom size="0.1"/>
  <body name="{0}/tip">
    <joint name="{0}/lift" axis="0 1 0" armature="0.1"/><geom size="0.05"/>
  </body>
</body>
"""
MODEL = f"""
<mujoco>
  <option gravity="0 0 0" timestep="0.001"/>
  <worldbody>{BODY.format('left', 0)}{BODY.format('right', 1)}</worldbody>
  <actuator>
    <motor name="left/turn" joint="left/turn"/><motor name="left/lift" joint="left/lift"/>
    <motor name="right/turn" joint="right/turn"/><motor name="right/lift" joint="right/lift"/>
  </actuator>
</mujoco>
"""
FORWARD = {'type': 'mujoco_ros_py/ForwardCommandController', 'interface_name': 'position'}
STOP = {'type': 'mujoco_ros_py/EmergencyStop', 'name': 'stop'}
LIMITS = {'joint_limits': {'turn': {'max_position': 0.4}}}


@pytest.fixture
def session() -> Iterator[Session]:
    left = [{**FORWARD, 'name': 'arm', 'joints': ['turn', 'lift'], **LIMITS}, STOP]
    right = [{'type': 'mujoco_ros_py/JointController', 'name': 'arm'}]
    groups = [{'namespace': 'left', 'plugins': left}, {'namespace': 'right', 'plugins': right}]
    model = mujoco.MjModel.from_xml_string(MODEL)
    with Session(model, plugins=groups, strict=True) as made:
        yield made


def test_the_same_names_mean_the_elements_of_each_robot(session):
    session.call(lambda model, data: session.plugins['left/arm'].set_commands([0.6, -0.2]))
    session.call(lambda model, data: session.plugins['right/arm'].set_targets({'lift': 0.3}))
    session.step(3000)
    assert session.snapshot().data.qpos == pytest.approx([0.4, -0.2, 0.0, 0.3], abs=0.01)
    assert session.plugins['right/arm'].joints == ['turn', 'lift']


def test_an_emergency_stop_of_a_group_stops_that_robot_only(session):
    stopped = session.plugins['left/stop'].set_stopped(True)
    assert stopped.result(DEADLINE_S) == ['left/arm']
    session.call(lambda model, data: session.plugins['left/arm'].set_commands([0.2, 0.2]))
    session.call(lambda model, data: session.plugins['right/arm'].set_targets({'turn': 0.3}))
    session.step(3000)
    assert session.snapshot().data.qpos == pytest.approx([0.0, 0.0, 0.3, 0.0], abs=0.01)


def test_a_joint_of_another_robot_is_not_found_and_one_that_is_taken_is_named_in_full():
    inside = {**FORWARD, 'joints': ['right/turn']}
    model = mujoco.MjModel.from_xml_string(MODEL)
    with Session(model, plugins=[{'namespace': 'left', 'plugins': [inside]}]) as session:
        assert "unknown joint 'left/right/turn'" in session.problems[0]
    taken = [
        {**FORWARD, 'name': 'first', 'joints': ['left/turn']},
        {'namespace': 'left', 'plugins': [{**FORWARD, 'name': 'arm', 'joints': ['turn']}]},
    ]
    with Session(model, plugins=taken) as session:
        assert 'joint left/turn belongs to first' in session.problems[0]
