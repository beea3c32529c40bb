"""The state of a simulation at one moment, with access by name."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np

from .derived_values import Derivation, Numbers, Sample
from .state_places import StatePlaces

Reading = float | Numbers
"""A number, or a read-only array."""


class JointReading(NamedTuple):
    """The position and the velocity of a joint, in metres, radians and seconds."""

    position: Reading
    """Hinge or slide: a number. Ball: the quaternion w x y z. Free joint: x y z, then w x y z."""
    velocity: Reading
    """Hinge or slide: a number. Ball: 3 numbers. Free joint: 3 linear, then 3 angular."""


class PoseReading(NamedTuple):
    """The pose and the velocity of the frame of a body or a site, in the world frame."""

    position: Numbers
    """The position x y z in metres."""
    orientation: Numbers
    """The quaternion w x y z."""
    linear_velocity: Numbers
    """The velocity of the frame's origin in m/s."""
    angular_velocity: Numbers
    """The angular velocity in rad/s."""


class ActuatorReading(NamedTuple):
    """The control and the force of an actuator."""

    ctrl: Reading
    force: Reading


class State:
    """The state at one moment. It never changes, and stays valid after later steps and reloads.

    It stores time, positions, velocities and controls. Poses, sensors and forces are computed from
    these on demand, for the same moment. Each method raises ConfigError for an unknown name, and
    lists the known names.
    """

    __slots__ = ('_derivation', '_places', 'sample')

    def __init__(self, sample: Sample, places: StatePlaces, derivation: Derivation) -> None:
        self.sample = sample
        """The stored numbers, from which all other quantities are computed."""
        self._places = places
        self._derivation = derivation

    @property
    def time(self) -> float:
        """The simulation time in seconds."""
        return float(self.sample.values[0])

    @property
    def qpos(self) -> Numbers:
        """All positions, in the model's order."""
        return self._part('qpos')

    @property
    def qvel(self) -> Numbers:
        """All velocities, in the model's order."""
        return self._part('qvel')

    @property
    def act(self) -> Numbers:
        """All activations of actuators, in the model's order."""
        return self._part('act')

    @property
    def ctrl(self) -> Numbers:
        """All controls, in the model's order."""
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
        """Returns the pose and the velocity of the body frame (`xpos`, not the centre of mass)."""
        number = self._places.number('body', name)
        return self._pose(mujoco.mjtObj.mjOBJ_XBODY, number, 'xpos', 'xmat')

    def site(self, name: str) -> PoseReading:
        """Returns the pose and the velocity of a site."""
        number = self._places.number('site', name)
        return self._pose(mujoco.mjtObj.mjOBJ_SITE, number, 'site_xpos', 'site_xmat')

    def sensor(self, name: str) -> Reading:
        """Returns the reading of a sensor: a number, or an array for several numbers."""
        number, model = self._places.number('sensor', name), self._places.model
        start, count = model.sensor_adr[number], model.sensor_dim[number]
        return self._derivation.forces(
            self.sample, lambda data: _reading(data.sensordata[start : start + count])
        )

    def actuator(self, name: str) -> ActuatorReading:
        """Returns the control and the force of an actuator."""
        control, output = self._places.control(name), self._places.output(name)
        force = self._derivation.forces(
            self.sample, lambda data: _reading(data.actuator_force[output])
        )
        return ActuatorReading(_reading(self.ctrl[control]), force)

    def __repr__(self) -> str:
        return f'<State at {self.time:g} s>'

    def __str__(self) -> str:
        """Returns the time and the first joints: ``time 2.5 s, hinge 0.1 (velocity 0.3)``."""
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
"""The number of joints in the text of a state."""


def _reading(values: Numbers) -> Reading:
    return float(values[0]) if len(values) == 1 else _frozen(values.copy())


def _frozen(values: Numbers) -> Numbers:
    values.flags.writeable = False
    return values


def _written(joint: JointReading) -> str:
    position, velocity = np.round(joint.position, 6), np.round(joint.velocity, 6)
    return f'{position} (velocity {velocity})'
