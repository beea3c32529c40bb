"""The state of a simulation at one moment, as a test reads it."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np

from .derived_values import Derivation, Numbers, Sample
from .state_places import StatePlaces

Reading = float | Numbers
"""A number, or an array of them that cannot be written to."""


class JointReading(NamedTuple):
    """The position and the velocity of a joint, in metres, radians and seconds."""

    position: Reading
    """A number of a hinge or slide; w x y z of a ball; x y z, then w x y z of a free joint."""
    velocity: Reading
    """A number of a hinge or slide; 3 of a ball; 6 of a free joint, the linear ones first."""


class PoseReading(NamedTuple):
    """The pose and the velocity of a body's or a site's frame, in the frame of the world."""

    position: Numbers
    """The place in metres: x y z."""
    orientation: Numbers
    """The quaternion w x y z."""
    linear_velocity: Numbers
    """The velocity of the frame's origin in m/s."""
    angular_velocity: Numbers
    """The angular velocity in rad/s."""


class ActuatorReading(NamedTuple):
    """The control of an actuator and the force that it exerts."""

    ctrl: Reading
    force: Reading


class State:
    """All of a moment; it never changes, and stays valid after later steps and reloads.

    Time, positions, velocities and controls are read from it at once. Poses, sensors and forces
    are computed from it when they are asked for, and belong to the same moment. Each method raises
    ConfigError for an unknown name, and lists those that there are.
    """

    __slots__ = ('_derivation', '_places', 'sample')

    def __init__(self, sample: Sample, places: StatePlaces, derivation: Derivation) -> None:
        self.sample = sample
        """The numbers that everything else is computed from."""
        self._places = places
        self._derivation = derivation

    @property
    def time(self) -> float:
        """The simulation time in seconds."""
        return float(self.sample.values[0])

    @property
    def qpos(self) -> Numbers:
        """All positions, in the order of the model."""
        return self._part('qpos')

    @property
    def qvel(self) -> Numbers:
        """All velocities, in the order of the model."""
        return self._part('qvel')

    @property
    def act(self) -> Numbers:
        """All activations of actuators, in the order of the model."""
        return self._part('act')

    @property
    def ctrl(self) -> Numbers:
        """All controls, in the order of the model."""
        return self._part('ctrl')

    def joint(self, name: str) -> JointReading:
        """Returns the position and the velocity of a joint."""
        values, single = self.sample.values, self._places.single_joints.get(name)
        if single is not None:  # most joints have one number
            position, velocity = single
            return JointReading(values.item(position), values.item(velocity))
        place, velocities = self._places.joint(name)
        return JointReading(
            _reading(self._part('qpos')[place]), _reading(self._part('qvel')[velocities])
        )

    def body(self, name: str) -> PoseReading:
        """Returns the pose and the velocity of a body's frame."""
        number = self._places.number('body', name)
        return self._pose(mujoco.mjtObj.mjOBJ_XBODY, number, 'xpos', 'xmat')

    def site(self, name: str) -> PoseReading:
        """Returns the pose and the velocity of a site."""
        number = self._places.number('site', name)
        return self._pose(mujoco.mjtObj.mjOBJ_SITE, number, 'site_xpos', 'site_xmat')

    def sensor(self, name: str) -> Reading:
        """Returns what a sensor measures: a number, or an array of them."""
        number, model = self._places.number('sensor', name), self._places.model
        start, count = model.sensor_adr[number], model.sensor_dim[number]
        return self._derivation.forces(
            self.sample, lambda data: _reading(data.sensordata[start : start + count])
        )

    def actuator(self, name: str) -> ActuatorReading:
        """Returns the control of an actuator and its force."""
        control, output = self._places.control(name), self._places.output(name)
        force = self._derivation.forces(
            self.sample, lambda data: _reading(data.actuator_force[output])
        )
        return ActuatorReading(_reading(self.ctrl[control]), force)

    def __repr__(self) -> str:
        return f'<State at {self.time:g} s>'

    def __str__(self) -> str:
        """Returns the time and the first joints: ``2.5 s, hinge 0.1 (velocity 0.3)``."""
        names = self._places.names('joint')
        told = [f'{name} {_written(self.joint(name))}' for name in names[:_TOLD]]
        more = [f'{len(names) - _TOLD} more joints'] if len(names) > _TOLD else []
        return ', '.join([f'time {self.time:.6g} s', *told, *more])

    def _part(self, name: str) -> Numbers:
        return self.sample.values[self._places.parts[name]]

    def _pose(self, kind: mujoco.mjtObj, number: int, places: str, axes: str) -> PoseReading:
        def read(data: mujoco.MjData) -> PoseReading:
            quaternion, velocity = np.zeros(4), np.zeros(6)
            mujoco.mju_mat2Quat(quaternion, getattr(data, axes)[number])
            mujoco.mj_objectVelocity(self._places.model, data, kind, number, velocity, 0)
            parts = getattr(data, places)[number].copy(), quaternion, velocity[3:], velocity[:3]
            return PoseReading(*map(_frozen, parts))

        return self._derivation.poses(self.sample, read)


_TOLD = 8
"""The most joints of which the text of a state tells."""


def _reading(values: Numbers) -> Reading:
    return float(values[0]) if len(values) == 1 else _frozen(values.copy())


def _frozen(values: Numbers) -> Numbers:
    values.flags.writeable = False
    return values


def _written(joint: JointReading) -> str:
    position, velocity = np.round(joint.position, 6), np.round(joint.velocity, 6)
    return f'{position} (velocity {velocity})'
