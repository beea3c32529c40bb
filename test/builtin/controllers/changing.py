"""Sessions with a moving plugin, for tests that change the world during the motion."""

from __future__ import annotations

from typing import Any

import mujoco
from builtin.controllers.driving import hinge
from builtin.controllers.stoppable import MOTIONS, STOP, Motion
from deadline import DEADLINE_S

from mujoco_ros_py.session import Session

CUBE = """
<mujoco>
  <worldbody><body name="base"><freejoint/><geom size="0.1"/></body></worldbody>
</mujoco>
"""
FIRST = """
<mujoco>
  <worldbody>
    <body name="first" pos="0 0 9"><freejoint/><geom size="0.1"/><site name="spot"/></body>
    <body name="ball" pos="9 0 9"><joint name="roll"/><geom size="0.1"/></body>
    <body name="marker" mocap="true"/>
  </worldbody>
  <actuator><motor name="spin" joint="roll"/></actuator>
"""
"""Elements that precede all others in a changed model, so all ids and addresses change."""
ADDRESSES = {'frames', 'times_address', 'coefficients_address'}
"""The record fields that hold memory addresses."""
INTEGRAL = {'gains': {'joint': {'p': 10.0, 'i': 20.0, 'd': 3.0}}}
FORWARD = {'type': 'mujoco_ros_py/ForwardCommandController', 'joints': ['joint']}
LAWS = {
    'motor': ('<motor joint="joint"/>', {'interface_name': 'position', **INTEGRAL}),
    'no actuator': ('', {'interface_name': 'position', 'joint_limits': {
        'joint': {'max_velocity': 0.8, 'max_acceleration': 3.0}}}),
    'speed servo': ('<velocity joint="joint" kv="2"/>', {'interface_name': 'velocity'}),
    'filter': ('<position joint="joint" kp="10" kv="5" timeconst="0.1"/>',
               {'interface_name': 'position'}),
    'integrator': ('<intvelocity joint="joint" kp="20" actrange="-3 3" kv="2"/>',
                   {'interface_name': 'position'}),
    'two motors': ('<motor joint="joint"/><motor joint="joint"/>', {'interface_name': 'effort'}),
}  # fmt: skip
"""Actuators that the drive controls in different ways, each with a configuration."""
ALL = {
    **MOTIONS,
    **{
        name: Motion(hinge(xml), {**FORWARD, **config}, lambda moved, _: moved.set_commands([1]))
        for name, (xml, config) in LAWS.items()
    },
}


def session_of(motion: Motion) -> Session:
    """Starts a session with the emergency stop and the motion's plugin; begins the motion."""
    plugins = [STOP, {**motion.plugin, 'name': 'moved'}]
    session = Session(mujoco_xml=motion.xml, plugins=plugins, strict=True)
    session.call(lambda m, d: motion.begin(session.plugins['moved'], d))
    return session


def spec(xml: str) -> mujoco.MjSpec:
    return mujoco.MjSpec.from_string(xml)


def places(session: Session) -> dict[str, Any]:
    """Returns the state of everything that moves, by name: joints and mocap bodies."""
    shot = session.snapshot()
    model, data = shot.model, shot.data
    joints = [model.joint(k).name for k in range(model.njnt)]
    found = {
        name: [*data.joint(name).qpos, *data.joint(name).qvel, *data.joint(name).qfrc_applied]
        for name in joints
        if name in ('joint', 'x', 'y', 'yaw') or name.startswith('w')
    }
    if (target := mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, 'target')) >= 0:
        found['target'] = data.mocap_pos[model.body_mocapid[target]].tolist()
    assert found
    return found


def fields(session: Session) -> dict[str, Any]:
    """Returns the fields of the plugin's record, without memory addresses."""
    state: Any = session.plugins['moved'].state
    return {name: state[name].tobytes() for name in state.dtype.names if name not in ADDRESSES}


def set_stopped(session: Session, stopped: bool) -> list[str]:
    """Stops or releases all plugins, and returns their names."""
    plugin: Any = session.plugins['emergency_stop']
    return plugin.set_stopped(stopped).result(DEADLINE_S)
