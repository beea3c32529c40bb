"""A model with all that the services of the original server change, and short calls of them."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')

from geometry_msgs.msg import Point, PoseStamped, Quaternion
from mujoco_ros_msgs.msg import BodyState, EqualityConstraintParameters, GeomProperties
from mujoco_ros_msgs.srv import (
    GetBodyState,
    GetEqualityConstraintParameters,
    GetGeomProperties,
    GetSimInfo,
    SetBodyState,
    SetEqualityConstraintParameters,
    SetGeomProperties,
)

from .harness import Client

COMMON = 'solref="0.3 0.9" solimp="0.8 0.95 0.002 0.4 2"'
ROBOT = f"""
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="ground" type="plane" size="5 5 0.1"/>
    <body name="hand" mocap="true" pos="0 0 3"/>
    <body name="base" pos="0 0 1">
      <joint name="one" axis="0 1 0"/>
      <geom name="upper" type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/>
      <site name="tip" pos="1 0 0"/>
      <body name="end" pos="0.3 0 0">
        <joint name="two" axis="0 1 0"/>
        <geom name="EE" type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/>
      </body>
    </body>
    <body name="body_ball" pos="1 0 0.06">
      <freejoint/>
      <geom name="ball" size="0.05" mass="0.1"/>
    </body>
    <body name="immovable" pos="2 2 0.6"><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
  <tendon>
    <fixed name="rope"><joint joint="one" coef="0.5"/></fixed>
    <fixed name="wire"><joint joint="two" coef="0.5"/></fixed>
  </tendon>
  <equality>
    <weld name="weld_eq" body1="immovable" torquescale="0.9" {COMMON}
          relpose="1.1 1.2 1.3 0 0 0 1" active="false"/>
    <joint name="joint_eq" joint1="one" joint2="two" polycoef="0.5 0.25 0.76 0.66 1" {COMMON}/>
    <tendon name="tendon_eq" tendon1="rope" tendon2="wire" {COMMON}
            polycoef="0.5 0.25 0.76 0.66 1"/>
    <connect name="connect_eq" body1="body_ball" body2="immovable" anchor="0.1 0.2 0.3" {COMMON}
             active="false"/>
  </equality>
</mujoco>
"""
ALL = ['weld_eq', 'joint_eq', 'tendon_eq', 'connect_eq']


def body(client: Client, name: str, **more: str) -> Any:
    """Returns the answer of get_body_state."""
    return client.call(GetBodyState, 'get_body_state', GetBodyState.Request(name=name, **more))


def set_body(client: Client, name: str, state: Any = None, **flags: Any) -> Any:
    """Returns the answer of set_body_state."""
    state = state or BodyState()
    state.name = name
    return client.call(SetBodyState, 'set_body_state', SetBodyState.Request(state=state, **flags))


def geom(client: Client, name: str) -> Any:
    """Returns the answer of get_geom_properties."""
    request = GetGeomProperties.Request(geom_name=name)
    return client.call(GetGeomProperties, 'get_geom_properties', request)


def set_geom(client: Client, properties: GeomProperties, **flags: Any) -> Any:
    """Returns the answer of set_geom_properties."""
    request = SetGeomProperties.Request(properties=properties, **flags)
    return client.call(SetGeomProperties, 'set_geom_properties', request)


def constraints(client: Client, *names: str) -> Any:
    """Returns the answer of get_eq_constraint_parameters."""
    request = GetEqualityConstraintParameters.Request(names=list(names))
    return client.call(GetEqualityConstraintParameters, 'get_eq_constraint_parameters', request)


def set_constraints(client: Client, *parameters: EqualityConstraintParameters) -> Any:
    """Returns the answer of set_eq_constraint_parameters."""
    request = SetEqualityConstraintParameters.Request(parameters=list(parameters))
    return client.call(SetEqualityConstraintParameters, 'set_eq_constraint_parameters', request)


def info(client: Client) -> Any:
    """Returns what get_sim_info tells."""
    return client.call(GetSimInfo, 'get_sim_info', GetSimInfo.Request()).state


def pose(*position: float, frame: str = '', quat: Any = (1.0, 0.0, 0.0, 0.0)) -> PoseStamped:
    """Returns a pose in a frame; the quaternion begins with w."""
    made = PoseStamped()
    made.header.frame_id = frame
    made.pose.position = Point(**dict(zip('xyz', position, strict=True)))
    made.pose.orientation = Quaternion(**dict(zip('wxyz', quat, strict=True)))
    return made


def place_of(stamped: PoseStamped) -> list[float]:
    """Returns position and orientation (w first) of a pose."""
    position, turn = stamped.pose.position, stamped.pose.orientation
    return [position.x, position.y, position.z, turn.w, turn.x, turn.y, turn.z]


def velocity_of(stamped: Any) -> list[float]:
    """Returns the linear and then the angular velocity of a twist."""
    parts = stamped.twist.linear, stamped.twist.angular
    return [getattr(part, axis) for part in parts for axis in 'xyz']
