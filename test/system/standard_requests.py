"""Short calls of the standard services of simulators, in the version that is installed."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from simulation_interfaces import srv
from simulation_interfaces.msg import Result, SimulationState

from .harness import Client

OK = Result.RESULT_OK
STOPPED = SimulationState.STATE_STOPPED
PLAYING = SimulationState.STATE_PLAYING
PAUSED = SimulationState.STATE_PAUSED
SECOND_VERSION = 'entity_resource' in srv.SpawnEntity.Request.get_fields_and_field_types()


TURNED = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
"""A quarter of a turn about z, with w first."""


def ask(client: Client, kind: str, /, **fields: Any) -> Any:
    """Calls the service of a type, such as `GetEntities`, and returns the answer."""
    return client.call(getattr(srv, kind), service_name(kind), request_of(kind, **fields))


def done(client: Client, kind: str, /, **fields: Any) -> Any:
    """Calls a service that has to succeed, and returns the answer."""
    answer = ask(client, kind, **fields)
    assert answer.result.result == OK, answer.result.error_message
    return answer


def refused(client: Client, kind: str, /, **fields: Any) -> tuple[int, str]:
    """Calls a service, and returns number and message of its result."""
    result = ask(client, kind, **fields).result
    return result.result, result.error_message


def service_name(kind: str) -> str:
    return re.sub('(?<=[a-z])(?=[A-Z])', '_', kind).lower()


def request_of(kind: str, /, **fields: Any) -> Any:
    """Returns a request; `uri` and `resource_string` stand where the version has them."""
    request = getattr(srv, kind).Request()
    for name, value in fields.items():
        holder = request
        if name in ('uri', 'resource_string') and not hasattr(request, name):
            holder = getattr(request, 'world_resource' if 'World' in kind else 'entity_resource')
        setattr(holder, name, value)
    return request


def state_of(client: Client) -> int:
    return int(ask(client, 'GetSimulationState').state.state)


def pose_of(client: Client, name: str) -> tuple[list[float], list[float]]:
    """Returns position and orientation of an entity in the world."""
    pose = done(client, 'GetEntityState', entity=name).state.pose
    return numbers(pose.position), numbers(pose.orientation)


def set_state(client: Client, state: int) -> Any:
    """Returns the result of setting a state."""
    wanted = SimulationState(state=state)
    return ask(client, 'SetSimulationState', state=wanted).result


ALL = ['floor', 'ball', 'table', 'arm', 'target']
"""The entities of `WORLD`."""
CUBE = """
<mujoco model="cube">
  <worldbody><body><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body></worldbody>
</mujoco>
"""
WORLD = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="9 9 1" pos="0 0 -5"/>
    <body name="floor"><geom type="plane" size="1 1 1" contype="0" conaffinity="0"/></body>
    <body name="ball" pos="0 0 3"><freejoint/><geom size="0.5"/></body>
    <body name="table" pos="2 0 0" euler="0 0 90">
      <geom type="box" size="0.4 0.2 0.1"/>
      <site name="top" pos="0.3 0 0.1"/>
    </body>
    <body name="arm" pos="0 4 0">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 1 0 0" size="0.1"/>
    </body>
    <body name="target" mocap="true" pos="0 0 9"/>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""


def pose_in(frame: str = '', *position: float, quat: Any = (1.0, 0.0, 0.0, 0.0)) -> Any:
    """Returns a PoseStamped; the quaternion begins with w."""
    from geometry_msgs.msg import Point, PoseStamped, Quaternion

    made = PoseStamped()
    made.header.frame_id = frame
    made.pose.position = Point(**dict(zip('xyz', map(float, position), strict=False)))
    made.pose.orientation = Quaternion(**dict(zip('wxyz', quat, strict=True)))
    return made


def numbers(message: Any) -> list[float]:
    """Returns the numbers of a message of geometry, in the order of its fields."""
    return [
        round(float(getattr(message, name)), 6) for name in message.get_fields_and_field_types()
    ]


def spawn(client: Client, text: str = CUBE, **fields: Any) -> Any:
    """Returns the answer of spawn_entity."""
    return ask(client, 'SpawnEntity', resource_string=text, **fields)


def entities(client: Client, **filters: Any) -> list[str]:
    """Returns the names of the entities that pass the filters."""
    from simulation_interfaces.msg import EntityFilters

    return list(done(client, 'GetEntities', filters=EntityFilters(**filters)).entities)
