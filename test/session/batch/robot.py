"""A model with contacts, sensors and delays, and plugins for the tests of batches."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state, ranged

MODEL = """
<mujoco>
  <option timestep="0.002" integrator="{integrator}"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="cart" pos="0 0 0.5">
      <joint name="rail" type="slide" axis="1 0 0"/><geom type="box" size="0.1 0.1 0.05" mass="1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0" damping="0.01"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.4" size="0.02" mass="0.2"/>
        <site name="tip" pos="0 0 0.4"/>
      </body>
    </body>
    <body name="ball" pos="1 0 0.2"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <actuator>
    <motor name="pull" joint="rail" gear="5"/>
    <general name="lag" joint="hinge" dyntype="filter" dynprm="0.05"/>
  </actuator>
  <sensor>
    <accelerometer site="tip"/><jointpos joint="hinge"/><framepos objtype="body" objname="ball"/>
  </sensor>
  <keyframe><key name="tilted" time="1" qpos="0 0.4 1 0 0.3 1 0 0 0"/></keyframe>
</mujoco>
"""


def model(integrator: str = 'Euler') -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL.format(integrator=integrator))


@dataclass(frozen=True)
class Gains:
    """The configuration of the controller."""

    gain: float = ranged(1.0, minimum=0.0)
    offsets: tuple[float, ...] = (0.0, 0.0)


class Controller(MujocoPlugin[Gains]):
    """Adds to the given controls in all callbacks, and counts its steps."""

    def load(self, model, data):
        offsets = np.array(self.config.offsets)
        self.state = new_state(
            gain=self.config.gain, offsets=offsets, target=0.0, given=np.zeros(2), steps=0, fault=0
        )

    def reset(self, model, data):
        self.state.steps = 0

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        if state.fault == 1:
            raise ValueError('the arm is gone')
        if state.fault == 2:
            mujoco.mj_stateSize(model, 2**30)  # would end the process
        data.ctrl[0] = state.gain * (state.target - data.qpos[0]) + state.given[0]
        data.ctrl[1] = state.given[1] - 0.1 * data.qvel[1] + state.offsets[1]

    @staticmethod
    @compiled
    def passive_callback(state, model, data):
        data.qfrc_passive[2] += 0.3 * state.gain

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        state.steps += 1
        state.target = 0.1 * np.sin(data.time) + state.offsets[0]
