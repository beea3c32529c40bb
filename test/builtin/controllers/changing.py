"""Sessions whose plugins move something, for tests in which the world changes meanwhile."""

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
"""What comes before all else in a model, so that all ids and addresses are others."""
ADDRESSES = {'frames', 'times_address', 'coefficients_address'}
"""The fields of records that say where something lies in memory."""
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
"""Actuators of a joint, by which the drive moves it in other ways, and configurations."""
ALL = {
    **MOTIONS,
    **{
        name: Motion(hinge(xml), {**FORWARD, **config}, lambda moved, _: moved.set_commands([1]))
        for name, (xml, config) in LAWS.items()
    },
}


def session_of(motion: Motion) -> Session:
    """Begins a session with the emergency stop and the plugin of a motion, which moves."""
    plugins = [STOP, {**motion.plugin, 'name': 'moved'}]
    session = Session(mujoco_xml=motion.xml, plugins=plugins, strict=True)
    session.call(lambda m, d: motion.begin(session.plugins['moved'], d))
    return session


def spec(xml: str) -> mujoco.MjSpec:
    return mujoco.MjSpec.from_string(xml)


def places(session: Session) -> dict[str, Any]:
    """Returns what moves, by the names in the model: joints, controls, mocap bodies."""
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
    """Returns the record of the plugin, but for what says where something lies in memory."""
    state: Any = session.plugins['moved'].state
    return {name: state[name].tobytes() for name in state.dtype.names if name not in ADDRESSES}


def set_stopped(session: Session, stopped: bool) -> list[str]:
    """Stops or releases all plugins, and returns their names."""
    plugin: Any = session.plugins['emergency_stop']
    return plugin.set_stopped(stopped).result(DEADLINE_S)
