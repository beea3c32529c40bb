"""mujoco_ros_py/JointController: holds joint positions by torque, in compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ..config import ranged
from ..config.wording import listed
from ..errors import ConfigError, PluginError
from ..plugins import MujocoPlugin, compiled, new_state
from ..simulation import given_name

_SCALAR_JOINTS = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))


@dataclass(frozen=True, kw_only=True, slots=True)
class JointControllerConfig:
    """The configuration of the JointController plugin."""

    joints: tuple[str, ...] = ()
    """The names of the joints; empty: every hinge and slide joint that a motor drives."""
    stiffness: float | tuple[float, ...] = ranged(
        100.0, minimum=0.0, unit='N m/rad or N/m', live=True
    )
    """Force per distance from the target; one number, or one for each joint."""
    damping: float | tuple[float, ...] = ranged(
        10.0, minimum=0.0, unit='N m s/rad or N s/m', live=True
    )
    """Force per velocity; one number, or one for each joint."""
    gravity_compensation: bool = ranged(True, live=True)
    """Compensate gravity, Coriolis and centrifugal forces (qfrc_bias)."""


class JointController(MujocoPlugin[JointControllerConfig]):
    """Drives each joint to its target by stiffness (target - q) - damping dq, plus compensation.

    The actuator of a joint must be a motor whose transmission is the joint; its gear and control
    range are respected. Targets are the initial positions of the joints until `set_targets` sets
    others.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds joints and actuators. Raises PluginError if a joint cannot be driven."""
        motors = _motors(model)
        self.joints = list(self.config.joints or motors)
        missing = [name for name in self.joints if name not in motors]
        if missing or not self.joints:
            what = f'no motor drives {", ".join(missing)}' if missing else 'no joint to drive'
            raise PluginError(f'{what}; joints with a motor: {", ".join(motors) or "none"}')
        self._places = {name: place for place, name in enumerate(self.joints)}
        actuators = [motors[name] for name in self.joints]
        ids = model.actuator_trnid[actuators, 0]
        count = len(ids)
        self.state = new_state(
            actuator=np.array(actuators),
            position=model.jnt_qposadr[ids],
            dof=model.jnt_dofadr[ids],
            gear=model.actuator_gear[actuators, 0],
            **self._live(self.config),
            target=np.zeros(count),
        )
        self.reset(model, data)

    def configure(self, config: JointControllerConfig) -> None:
        """Applies new gains."""
        for name, value in self._live(config).items():
            setattr(self.state, name, value)

    def _live(self, config: JointControllerConfig) -> dict[str, Any]:
        """Sets the values that may change at run time. Raises ConfigError for invalid ones."""
        return {
            'stiffness': self._per_joint('stiffness', config.stiffness),
            'damping': self._per_joint('damping', config.damping),
            'compensation': float(config.gravity_compensation),
        }

    def _per_joint(self, name: str, given: float | tuple[float, ...]) -> np.ndarray[Any, Any]:
        """Returns one number for each joint. Raises ConfigError for a wrong count."""
        count = len(self.joints)
        if isinstance(given, tuple) and len(given) != count:
            raise ConfigError(f'{name} must be one number, or {count}, got {len(given)}')
        return np.broadcast_to(np.array(given, float), (count,))

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Sets the targets to the present positions of the joints."""
        assert self.state is not None
        self.state.target = data.qpos[self.state.position]

    def set_targets(self, targets: dict[str, float]) -> None:
        """Sets target positions by joint name, in rad or m; called on the physics thread.

        Raises PluginError, and sets none, if one of the joints is not driven.
        """
        unknown = [name for name in targets if name not in self._places]
        if unknown:
            known = ', '.join(self.joints)
            raise PluginError(f'{self.name} does not drive {listed(unknown)}; it drives {known}')
        for name, target in targets.items():
            self.state.target[self._places[name]] = target  # type: ignore[union-attr]

    @compiled
    def control_callback(state: Any, model: Any, data: Any) -> None:
        """Sets the controls; MuJoCo clips them to their range."""
        for k in range(len(state.target)):
            dof = state.dof[k]
            error = state.target[k] - data.qpos[state.position[k]]
            force = state.stiffness[k] * error - state.damping[k] * data.qvel[dof]
            force += state.compensation * data.qfrc_bias[dof]
            data.ctrl[state.actuator[k]] = force / state.gear[k]


def _motors(model: mujoco.MjModel) -> dict[str, int]:
    """Returns the motor of each hinge or slide joint that has one, by the joint's name."""
    motors: dict[str, int] = {}
    for actuator in range(model.nu):
        joint = int(model.actuator_trnid[actuator, 0])
        direct = (
            model.actuator_trntype[actuator] == int(mujoco.mjtTrn.mjTRN_JOINT)
            and model.jnt_type[joint] in _SCALAR_JOINTS
            and model.actuator_gaintype[actuator] == int(mujoco.mjtGain.mjGAIN_FIXED)
            and model.actuator_biastype[actuator] == int(mujoco.mjtBias.mjBIAS_NONE)
            and model.actuator_gear[actuator, 0] != 0
        )
        if direct:
            name = given_name(model, mujoco.mjtObj.mjOBJ_JOINT, joint)
            motors.setdefault(name, actuator)
    return motors
