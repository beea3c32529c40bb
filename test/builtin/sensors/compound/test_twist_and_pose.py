"""Twist and Pose over DDS, of a site that moves along a circle at constant speed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from geometry_msgs.msg import PoseStamped, TwistStamped

pytestmark = pytest.mark.slow

SPEED, RADIUS, HEIGHT, STEP = 3.0, 0.4, 1.2, 0.002
CAROUSEL = f"""
<mujoco>
  <option timestep="{STEP}" gravity="0 0 0"/>
  <worldbody>
    <body name="stand" pos="1 0 0" euler="0 0 90"><site name="corner" pos="0 0 {HEIGHT}"/></body>
    <body name="carousel" pos="0 0 {HEIGHT}">
      <joint name="turn" axis="0 0 1"/>
      <geom size="0.1" mass="1"/>
      <site name="horse" pos="{RADIUS} 0 0"/>
    </body>
  </worldbody>
  <sensor>
    <framelinvel name="v" objtype="site" objname="horse"/>
    <frameangvel name="w" objtype="site" objname="horse"/>
    <framepos name="p" objtype="site" objname="horse" reftype="site" refname="corner"/>
    <framequat name="q" objtype="site" objname="horse" reftype="site" refname="corner"/>
  </sensor>
</mujoco>
"""
RATE = {'update_rate': 1 / STEP}


def turning(load_sensor, kind: str, **config: object):
    sensor = load_sensor(CAROUSEL, kind, **RATE, **config)
    sensor.call(lambda model, data: data.qvel.__setitem__(0, SPEED))
    return sensor


def xyz(vector: object) -> np.ndarray:
    return np.array([vector.x, vector.y, vector.z])


def wxyz(quat: object) -> np.ndarray:
    return np.array([quat.w, quat.x, quat.y, quat.z])


def test_a_twist_at_a_site_is_in_the_axes_of_the_site(load_sensor):
    message = turning(load_sensor, 'Twist', site='horse').measure(TwistStamped, steps=137)
    assert xyz(message.twist.linear) == pytest.approx([0, SPEED * RADIUS, 0], abs=1e-9)
    assert xyz(message.twist.angular) == pytest.approx([0, 0, SPEED], abs=1e-9)
    assert message.header.frame_id == 'horse'


def test_a_twist_of_sensors_in_the_world_is_in_the_axes_of_the_world(load_sensor):
    message = turning(load_sensor, 'Twist', linear='v', angular='w').measure(
        TwistStamped, steps=137
    )
    angle = SPEED * 137 * STEP
    tangent = np.array([-math.sin(angle), math.cos(angle), 0])
    assert xyz(message.twist.linear) == pytest.approx(SPEED * RADIUS * tangent, abs=1e-9)
    assert xyz(message.twist.angular) == pytest.approx([0, 0, SPEED], abs=1e-9)
    assert message.header.frame_id == 'world'


def test_a_twist_has_the_noise_of_each_part(load_sensor):
    noise = {'linear': {'mean': 0.1}, 'angular': {'z': {'mean': 0.2}}}
    message = turning(load_sensor, 'Twist', site='horse', noise=noise).measure(TwistStamped)
    assert xyz(message.twist.linear) == pytest.approx([0.1, SPEED * RADIUS + 0.1, 0.1])
    assert xyz(message.twist.angular) == pytest.approx([0, 0, SPEED + 0.2])


def test_a_pose_at_a_site_is_that_in_the_world(load_sensor):
    message = turning(load_sensor, 'Pose', site='horse').measure(PoseStamped, steps=137)
    angle = SPEED * 137 * STEP
    place = [RADIUS * math.cos(angle), RADIUS * math.sin(angle), HEIGHT]
    assert xyz(message.pose.position) == pytest.approx(place, abs=1e-9)
    half = [math.cos(angle / 2), 0, 0, math.sin(angle / 2)]
    assert wxyz(message.pose.orientation) == pytest.approx(half, abs=1e-9)
    assert message.header.frame_id == 'world'


def test_a_pose_of_sensors_is_in_the_frame_that_they_refer_to(load_sensor):
    """The corner is at x = 1 and turned by a quarter: its x axis is the y axis of the world."""
    message = turning(load_sensor, 'Pose', position='p', orientation='q').measure(
        PoseStamped, steps=90
    )
    angle = SPEED * 90 * STEP
    x, y = RADIUS * math.cos(angle) - 1, RADIUS * math.sin(angle)
    assert xyz(message.pose.position) == pytest.approx([y, -x, 0], abs=1e-9)
    half = (angle - math.pi / 2) / 2
    told = wxyz(message.pose.orientation)
    assert abs(told @ [math.cos(half), 0, 0, math.sin(half)]) == pytest.approx(1, abs=1e-12)
    assert message.header.frame_id == 'corner'


def test_a_pose_has_noise_in_place_and_small_turns_about_its_own_axes(load_sensor):
    noise = {'position': {'x': {'mean': 0.5}}, 'orientation': {'x': {'mean': 0.1}}}
    message = turning(load_sensor, 'Pose', site='horse', noise=noise).measure(
        PoseStamped, steps=200
    )
    angle = SPEED * 200 * STEP
    assert message.pose.position.x == pytest.approx(RADIUS * math.cos(angle) + 0.5)
    assert message.pose.position.y == pytest.approx(RADIUS * math.sin(angle))
    turn, roll = (math.cos(angle / 2), math.sin(angle / 2)), (math.cos(0.05), math.sin(0.05))
    product = [turn[0] * roll[0], turn[0] * roll[1], turn[1] * roll[1], turn[1] * roll[0]]
    assert wxyz(message.pose.orientation) == pytest.approx(product, abs=1e-9)
