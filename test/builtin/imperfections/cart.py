"""A cart with two motors, and plugins that command and hear the controls of the first."""

from __future__ import annotations

import math

import numpy as np

from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state
from mujoco_ros_py.session import Session

CART = """
<mujoco>
  <option timestep="{}" gravity="0 0 0" integrator="{}"/>
  <worldbody>
    <body><joint name="rail" type="slide" axis="1 0 0"/><geom size="0.1" mass="2"/></body>
  </worldbody>
  <actuator>
    <motor name="push" joint="rail" group="2"/>
    <motor name="pull" joint="rail" group="3"/>
  </actuator>
</mujoco>
"""
MODEL = CART.format(0.001, 'Euler')


class Counting(MujocoPlugin):
    """Sets the first control to 1000 times the time, so that each step has its own number."""

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = 1000.0 * data.time + 1.0


class Swinging(MujocoPlugin):
    """Sets the first control to a sine with the amplitude 1 and a period of 1 s."""

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = math.sin(2.0 * math.pi * data.time)


class Listening(MujocoPlugin):
    """Keeps the control and the force of each step."""

    def load(self, model, data):
        self.state = new_state(controls=np.zeros(2000), forces=np.zeros(2000), count=0)

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        state.controls[state.count] = data.ctrl[0]
        state.forces[state.count] = data.actuator_force[0]
        state.count += 1


LISTENING = {'type': Listening, 'name': 'listening'}
COUNTING = {'type': Counting, 'name': 'counting'}
SWINGING = {'type': Swinging, 'name': 'swinging'}


def push(**effects: object) -> dict[str, object]:
    return {'of': {'actuator': 'push'}, **effects}


def controls(made: Session, steps: int) -> np.ndarray:
    """The controls that reached the actuator in the next steps."""
    heard = made.plugins['listening'].state
    heard.count = 0
    made.step(steps)
    return heard.controls[:steps].copy()


def forward(made: Session) -> None:
    """Makes a forward pass, as a paused server does."""
    made.edit(lambda model, data, edit: edit.done.append('nothing'))
