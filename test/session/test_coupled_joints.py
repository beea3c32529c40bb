"""Grippers whose second finger follows the first start without a jolt from any position."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.session import Session
from mujoco_ros_py.simulation.edits import NamedNumbers, set_numbers

HAND = """
<mujoco model="hand">
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body name="palm">
      <geom size="0.05"/>
      <body><joint name="left" type="slide" axis="1 0 0"/><geom size="0.02" pos="0.2 0 0"/></body>
      <body><joint name="right" type="slide" axis="-1 0 0"/><geom size="0.02" pos="-.2 0 0"/>
      </body>
    </body>
  </worldbody>
  <equality><joint joint1="right" joint2="left" polycoef="0.01 0.5 0 0 0"/></equality>
  <keyframe>
    <key name="open" qpos="0.04 0.03"/>
    <key name="timed" time="2"/>
  </keyframe>
</mujoco>
"""
FLOOR = '<mujoco><option timestep="0.002" gravity="0 0 0"/></mujoco>'


def fingers(session: Session, prefix: str = '') -> list[float]:
    """Returns the positions of both fingers in m."""
    data = session.snapshot().data
    return [float(data.joint(f'{prefix}{name}').qpos[0]) for name in ('left', 'right')]


def jolt(session: Session, steps: int = 20) -> float:
    """Makes steps, and returns the largest speed of a finger in m/s."""
    largest = 0.0
    for _ in range(steps):
        session.step()
        largest = max(largest, float(np.abs(session.snapshot().data.qvel).max()))
    return largest


def test_it_begins_and_begins_anew_without_a_jolt():
    with Session(mujoco_xml=HAND, positions={'left': 0.04}) as session:
        for begin in (lambda: None, session.reset, session.reload):
            begin()
            assert fingers(session) == pytest.approx([0.04, 0.01 + 0.5 * 0.04])
            assert jolt(session) < 1e-9
        session.reload(positions={})
        assert fingers(session) == pytest.approx([0.0, 0.01])
        assert jolt(session) < 1e-9


def test_a_keyframe_gives_positions_or_leaves_them_to_the_equality():
    with Session(mujoco_xml=HAND, positions={'left': 0.02}) as session:
        session.reset('open')
        assert fingers(session) == [0.04, 0.03]
        session.reset('timed')
        assert (session.time, fingers(session)) == (2.0, pytest.approx([0.0, 0.01]))
        assert jolt(session) < 1e-9


def test_what_is_spawned_begins_right_and_what_was_there_goes_on():
    with Session(mujoco_xml=FLOOR) as session:
        session.spawn(HAND, 'first')
        assert fingers(session, 'first/') == pytest.approx([0.0, 0.01])
        session.call(lambda model, data: data.qpos.put([0, 1], [0.02, 0.05]))
        session.spawn(HAND, 'second', position=[0, 2, 0])
        assert fingers(session, 'first/') == [0.02, 0.05], 'as if an object were between them'
        assert fingers(session, 'second/') == pytest.approx([0.0, 0.01])


def test_a_new_follower_of_a_joint_that_goes_on_begins_where_that_is():
    single = HAND.replace('<joint name="right" type="slide" axis="-1 0 0"/>', '')
    single = single[: single.index('<equality>')] + '</mujoco>'
    with Session(mujoco_xml=single) as session:
        session.call(lambda model, data: data.qpos.fill(0.03))
        session.call(lambda model, data: data.qvel.fill(0.2))
        session.change(mujoco.MjSpec.from_string(HAND))
        assert fingers(session) == pytest.approx([0.03, 0.01 + 0.5 * 0.03])
        assert list(session.snapshot().data.qvel) == pytest.approx([0.2, 0.1])


def test_fingers_that_are_not_set_move_along_and_the_answer_names_them():
    def put(**positions: float) -> str:
        given = [NamedNumbers('position', name, [value]) for name, value in positions.items()]
        edit = session.edit(lambda model, data, edit: set_numbers(model, data, given, edit))
        return edit.message

    with Session(mujoco_xml=HAND) as session:
        told = put(left=0.04)
        assert told == "position of 'left' set; joints moved by their equalities: right"
        assert fingers(session) == pytest.approx([0.04, 0.03])
        assert jolt(session) < 1e-9
        told = put(left=0.02, right=0.0)
        assert fingers(session) == [0.02, 0.0]
        assert told == (
            "position of 'left' set; position of 'right' set;"
            " joint 'right' is at 0, but its equality with joint 'left' at 0.02 requires 0.02"
        )


MIMIC = """
<robot name="gripper">
  <link name="palm"/>
  {fingers}
  <joint name="left" type="revolute">
    <parent link="palm"/><child link="left_finger"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="right" type="revolute">
    <parent link="palm"/><child link="right_finger"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/>
    <mimic joint="left" multiplier="-1.5" offset="0.2"/>
  </joint>
  <joint name="fixed_angle" type="revolute">
    <parent link="palm"/><child link="thumb_finger"/><axis xyz="0 0 1"/>
    <limit lower="0.3" upper="0.3" effort="1" velocity="1"/>
  </joint>
</robot>
"""
FINGER = """
<link name="{}_finger"><inertial><origin xyz="0.1 0 0"/><mass value="0.1"/>
  <inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
"""


def test_mimic_joints_of_a_urdf_begin_where_they_belong():
    fingers_ = ''.join(map(FINGER.format, ('left', 'right', 'thumb')))
    with Session(mujoco_xml=MIMIC.format(fingers=fingers_), positions={'left': 0.4}) as session:
        assert fingers(session) == pytest.approx([0.4, 0.2 - 1.5 * 0.4])
        assert session.snapshot().data.joint('fixed_angle').qpos[0] == pytest.approx(0.3)
