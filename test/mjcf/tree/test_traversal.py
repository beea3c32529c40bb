"""Helpers for joints, frames and defaults."""

from __future__ import annotations

import pytest

from mujoco_ros_py import mjcf


def test_a_free_joint_is_found_whichever_way_it_is_written():
    model = mjcf.RootElement()
    first, second, third = (model.worldbody.add('body') for _ in range(3))
    free = first.add('freejoint')
    typed = second.add('joint', type='free')
    third.add('joint')
    assert [mjcf.get_freejoint(body) for body in (first, second, third)] == [free, typed, None]
    assert mjcf.get_freejoint(model.worldbody) is None


def test_frames_and_their_joints_are_found_from_the_attached_model():
    arena, robot = mjcf.RootElement(model='arena'), mjcf.RootElement(model='robot')
    robot.worldbody.add('body').add('joint')
    assert mjcf.get_attachment_frame(robot) is None
    assert mjcf.get_frame_joints(robot) is None
    frame = arena.attach(robot)
    slide = frame.add('joint', type='slide')
    assert mjcf.get_attachment_frame(robot) is frame
    assert mjcf.get_frame_joints(robot) == [slide]
    assert mjcf.get_frame_freejoint(robot) is None


@pytest.fixture
def geom():
    model = mjcf.from_xml_string("""
        <mujoco>
          <default>
            <geom mass="1" rgba="1 0 0 1" group="1"/>
            <default class="a"><geom mass="2"/>
              <default class="b"><geom friction="0.5"/></default>
            </default>
          </default>
          <worldbody>
            <body childclass="b"><body><geom size="1" group="3"/></body></body>
          </worldbody>
        </mujoco>
    """)
    return model.find_all('geom')[-1]


def test_defaults_are_committed_from_the_innermost_class_outwards(geom):
    mjcf.commit_defaults(geom)
    assert (geom.mass, geom.group, geom.friction.tolist()) == (2, 3, [0.5])
    assert geom.rgba.tolist() == [1, 0, 0, 1]


def test_only_the_defaults_that_are_named_are_committed(geom):
    mjcf.commit_defaults(geom, ['mass'])
    assert (geom.mass, geom.rgba) == (2, None)


def test_an_actuator_takes_the_defaults_of_all_actuators():
    model = mjcf.from_xml_string("""
        <mujoco>
          <default><general ctrlrange="-1 1"/></default>
          <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
          <actuator><motor joint="j"/></actuator>
        </mujoco>
    """)
    (motor,) = model.find_all('actuator')
    mjcf.commit_defaults(motor)
    assert motor.ctrlrange.tolist() == [-1, 1]
