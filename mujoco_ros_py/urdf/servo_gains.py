"""The gains of servos, from the inertia of the joints that they drive."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np

from ..mjcf import RootElement
from .bodies import add_bodies, mjcf_name
from .inertias import Mass
from .kinematic_tree import KinematicTree
from .robot import Robot
from .rotations import Array

ALONE = 100.0
"""The natural frequency of a joint while all others move freely, in rad/s."""
TOGETHER = 30.0
"""The least natural frequency of a joint with all that it carries, in rad/s."""
TIMESTEP_S = 0.002
"""The timestep with which servos are stable in any world, which is MuJoCo's default."""
_ROUNDS = 1000
"""The number of times that the damping is reduced at most."""


class Servo(NamedTuple):
    """The gains of a joint whose effort has no limit."""

    stiffness: float
    """The effort by error of position, in N m/rad or N/m."""
    damping: float
    """The effort by error of velocity, in N m s/rad or N s/m."""


def servos(
    robot: Robot, tree: KinematicTree, masses: dict[str, Mass], floating: bool, driven: set[str]
) -> dict[str, Servo]:
    """Returns the gains of the joints that are driven, by their names.

    They fit the robot with all joints at 0. Raises UrdfError for masses that MuJoCo refuses.
    """
    model = _skeleton(robot, tree, masses, floating)
    dofs = {name: int(model.joint(mjcf_name(name)).dofadr[0]) for name in driven}
    alone, together = 1.0 / model.dof_invweight0, np.array(model.dof_M0)
    stiffness = np.maximum(ALONE**2 * alone, TOGETHER**2 * together)
    damping = 2.0 * np.maximum(ALONE * alone, TOGETHER * together)
    part = _stable_part(model, damping, list(dofs.values()))
    return {
        name: Servo(float(stiffness[dof] * part[dof]), float(damping[dof] * part[dof]))
        for name, dof in dofs.items()
    }


def _skeleton(
    robot: Robot, tree: KinematicTree, masses: dict[str, Mass], floating: bool
) -> mujoco.MjModel:
    """Returns the robot without shapes, compiled."""
    skeleton = RootElement()
    skeleton.compiler.angle = 'radian'
    add_bodies(skeleton, robot, tree, masses, floating)
    try:
        return mujoco.MjModel.from_xml_string(skeleton.to_xml_string())
    except ValueError as error:
        raise robot.tag.error(str(error).strip()) from None


def _stable_part(model: mujoco.MjModel, damping: Array, dofs: list[int]) -> Array:
    """Returns the part of the damping of each dof with which a step is stable.

    The model has an integrator that is stable with any damping. But in a world with MuJoCo's
    default one, the force of a servo comes from the beginning of a step. So what damping takes of
    a motion in a step must be less than all of it, also of motions of several joints. Where it is
    not, the joints that take part in the motion get less damping.
    """
    freedom = np.linalg.inv(_inertia(model))
    part = np.isin(np.arange(model.nv), dofs).astype(float)
    for _ in range(_ROUNDS):
        weight = np.sqrt(damping * part)
        rates, motions = np.linalg.eigh(weight[:, None] * freedom * weight)
        taken = TIMESTEP_S * rates[-1]
        if taken <= 1.0:
            break
        part *= 1.0 - motions[:, -1] ** 2 * (1.0 - 1.0 / taken)
    return part


def _inertia(model: mujoco.MjModel) -> Array:
    """Returns the matrix of inertia with all joints at 0."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    inertia = np.zeros((model.nv, model.nv))
    for row, unit in zip(inertia, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, row, unit)
    return inertia
