"""mujoco_ros_py/JointController: joint positions held by torque, compiled."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ..errors import PluginError
from ..plugins import MujocoPlugin, compiled, new_state
from ..simulation import given_name

_SCALAR_JOINTS = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
_KEYS = ('joints', 'stiffness', 'damping', 'gravity_compensation')


class JointController(MujocoPlugin):
    """Drives each joint to its target: stiffness (target - q) - damping dq, plus what carries it.

    Configuration, all optional: `joints` (names; default: every hinge and slide joint with a
    motor), `stiffness` (N m/rad or N/m; a number or one for each joint, default 100), `damping`
    (N m s/rad or N s/m, likewise, default 10), `gravity_compensation` (gravity, Coriolis and
    centrifugal forces, `qfrc_bias`; default true). The actuator of a joint must be a motor with
    the joint as its transmission; its gear and control range are respected.

    Targets start where the joints stand; set them by `set_targets`.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds joints and actuators; refuses what cannot be driven."""
        _refuse_unknown(self.config)
        motors = _motors(model)
        self.joints = _joint_names(self.config, list(motors))
        missing = [name for name in self.joints if name not in motors]
        if missing or not self.joints:
            what = f'no motor drives {", ".join(missing)}' if missing else 'no joint to drive'
            raise PluginError(f'{what}; joints with a motor: {", ".join(motors) or "none"}')
        actuators = [motors[name] for name in self.joints]
        ids = model.actuator_trnid[actuators, 0]
        count = len(ids)
        self.state = new_state(
            actuator=np.array(actuators),
            position=model.jnt_qposadr[ids],
            dof=model.jnt_dofadr[ids],
            gear=model.actuator_gear[actuators, 0],
            stiffness=_per_joint(self.config, 'stiffness', 100.0, count),
            damping=_per_joint(self.config, 'damping', 10.0, count),
            compensation=float(_flag(self.config, 'gravity_compensation', True)),
            target=np.zeros(count),
        )
        self.reset(model, data)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """The targets are where the joints stand."""
        assert self.state is not None
        self.state.target = data.qpos[self.state.position]

    def set_targets(self, targets: dict[str, float]) -> None:
        """New target positions by joint, rad or m; on the physics thread.

        Raises PluginError, and sets none, if one names a joint that is not driven.
        """
        unknown = [name for name in targets if name not in self.joints]
        if unknown:
            known = ', '.join(self.joints)
            raise PluginError(
                f'{self.name} does not drive {", ".join(unknown)}; it drives {known}'
            )
        for name, target in targets.items():
            self.state.target[self.joints.index(name)] = target  # type: ignore[union-attr]

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
    """The motor of each hinge or slide joint that has one, by the joint's name."""
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


def _joint_names(config: Any, default: list[str]) -> list[str]:
    given = config.get('joints', default)
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise PluginError(f'joints must be a list of names, got {given!r}')
    return list(given)


def _flag(config: Any, key: str, default: bool) -> bool:
    given = config.get(key, default)
    if not isinstance(given, bool):
        raise PluginError(f'{key} must be true or false, got {given!r}')
    return given


def _per_joint(config: Any, key: str, default: float, count: int) -> np.ndarray[Any, Any]:
    """A number for all joints, or one for each."""
    given = config.get(key, default)
    try:
        values = np.array(given, float)
    except (TypeError, ValueError):
        values = np.array(np.nan)
    if values.shape not in ((), (count,)) or not np.all(np.isfinite(values) & (values >= 0)):
        raise PluginError(f'{key} must be one number of at least 0, or {count}, got {given!r}')
    return np.broadcast_to(values, (count,))


def _refuse_unknown(config: Any) -> None:
    unknown = [key for key in config if key not in _KEYS]
    if unknown:
        raise PluginError(f'unknown: {", ".join(unknown)}; known: {", ".join(_KEYS)}')
