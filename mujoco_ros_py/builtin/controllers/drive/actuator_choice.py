"""Chooses the actuator that drives a joint, or reports why the joint cannot be driven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mujoco

from ....config import listed
from ....errors import PluginError
from ....simulation import given_name, name_of
from .actuator_laws import ActuatorLaw, Law, actuators_of
from .drive_config import DriveConfig, Interface
from .model_joints import joint_id

_JOINT = mujoco.mjtObj.mjOBJ_JOINT


@dataclass(frozen=True, kw_only=True, slots=True)
class DrivenJoint:
    """A hinge or slide joint to drive, and the actuator chosen for it."""

    name: str
    """The joint's name in the configuration, without the name prefix of the plugin's group."""
    id: int
    interface: Interface
    actuator: ActuatorLaw | None
    """None if efforts are applied directly to the joint."""
    others: tuple[ActuatorLaw, ...]
    """The joint's other actuators; the drive sets their controls to values that exert no force."""


def driven_joint(
    model: mujoco.MjModel,
    own: str,
    interface: Interface,
    config: DriveConfig,
    prefix: str,
    movers: Mapping[str, Sequence[int]],
) -> DrivenJoint:
    """Finds a joint and chooses its actuator. Raises PluginError if the joint cannot be driven.

    `own` is the joint's name without `prefix`, the name prefix of the plugin's group. `movers`
    maps joint names to the ids of actuators that move the joint indirectly (see `moved_joints`).
    """
    name = f'{prefix}{own}'
    joint = joint_id(model, name)
    if leader := _leader(model, joint):
        raise PluginError(
            f'joint {name} cannot be driven: it follows {leader} by an equality constraint'
        )
    if name in movers:
        by = [name_of(model, mujoco.mjtObj.mjOBJ_ACTUATOR, each) for each in movers[name]]
        raise PluginError(
            f'joint {name} has no actuator of its own, and is moved by'
            f' {_actuators(by)}: use ActuatorGripperController or ActuatorCommands instead'
        )
    actuators = actuators_of(model, joint)
    if not actuators and not config.direct_effort:
        raise PluginError(
            f'joint {name} has no actuator: set direct_effort to apply its effort directly'
        )
    chosen = _best(name, interface, actuators, config.use_servos) if actuators else None
    others = tuple(each for each in actuators if each is not chosen)
    for other in others:
        if other.law is not Law.AFFINE and not other.silent:
            raise PluginError(
                f'joint {name} can be driven by only one of its actuators, and the others must'
                f' exert no force. Actuator {other.name} cannot be silenced, because'
                f' {other.reason}: remove {other.name} from the model, or disable its group there'
                ' (actuatorgroupdisable)'
            )
    return DrivenJoint(name=own, id=joint, interface=interface, actuator=chosen, others=others)


def _actuators(names: Sequence[str]) -> str:
    """Returns the names, preceded by `actuator` or `actuators`."""
    return f'actuator{"s" if names[1:] else ""} {listed(names)}'


def _leader(model: mujoco.MjModel, joint: int) -> str:
    """Returns the name of the joint that an active equality constraint makes this joint follow.

    Returns `a constant` if the constraint fixes the joint's position, and an empty string if the
    joint has no active constraint.
    """
    for equality in range(model.neq):
        follows = (
            model.eq_type[equality] == int(mujoco.mjtEq.mjEQ_JOINT)
            and model.eq_active0[equality]
            and model.eq_obj1id[equality] == joint
        )
        if follows:
            other = int(model.eq_obj2id[equality])
            return given_name(model, _JOINT, other) if other >= 0 else 'a constant'
    return ''


def _best(
    joint: str, interface: Interface, actuators: Sequence[ActuatorLaw], use_servos: bool
) -> ActuatorLaw:
    """Returns the actuator that suits the interface best. Raises PluginError if all are unfit."""
    fit = [each for each in actuators if _fits(each, interface)]
    if not fit:
        reasons = '; '.join(f'{each.name}: {each.reason}' for each in actuators)
        raise PluginError(f'joint {joint} cannot be driven by {interface}: {reasons}')
    return min(fit, key=lambda each: _rank(each, interface if use_servos else 'effort'))


def _fits(actuator: ActuatorLaw, interface: Interface) -> bool:
    if interface == 'effort' or actuator.law in (Law.AFFINE, Law.NO_EFFECT):
        return actuator.law is Law.AFFINE
    if interface == 'velocity':
        return actuator.servoes_velocity
    return actuator.servoes_position


def _rank(actuator: ActuatorLaw, interface: Interface) -> int:
    """Returns how well an actuator suits an interface; 0 is best.

    Servos for the interface rank first, then motors with a constant gain and no bias. Position
    servos rank last for the other interfaces.
    """
    servo = actuator.servoes_position if interface == 'position' else actuator.servoes_velocity
    if interface != 'effort' and servo:
        return 1 if actuator.law is Law.INTEGRATOR else 0
    if actuator.law is Law.AFFINE and not any(actuator.bias) and not any(actuator.gain[1:]):
        return 2
    return 4 if actuator.servoes_position else 3
