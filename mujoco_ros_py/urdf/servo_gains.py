"""Computes servo gains from the inertia that each joint drives."""

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
"""The minimum natural frequency of a servo in rad/s while all other joints move freely."""
TOGETHER = 30.0
"""The minimum natural frequency of a servo in rad/s while all other joints are locked."""
TIMESTEP_S = 0.002
"""The timestep at which servos must be stable with any integrator: MuJoCo's default."""
_ROUNDS = 1000
"""The maximum number of times that the damping is reduced."""


class Servo(NamedTuple):
    """The gains of a joint, computed as if its effort were unlimited."""

    stiffness: float
    """The effort per position error, in N m/rad or N/m."""
    damping: float
    """The effort per velocity error, in N m s/rad or N s/m."""


def servos(
    robot: Robot, tree: KinematicTree, masses: dict[str, Mass], floating: bool, driven: set[str]
) -> dict[str, Servo]:
    """Returns the gains of the driven joints, by joint name.

    The gains are computed with all joints at 0. Raises UrdfError if MuJoCo rejects the masses.
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
    """Compiles the robot without shapes."""
    skeleton = RootElement()
    skeleton.compiler.angle = 'radian'
    add_bodies(skeleton, robot, tree, masses, floating)
    try:
        return mujoco.MjModel.from_xml_string(skeleton.to_xml_string())
    except ValueError as error:
        raise robot.tag.error(str(error).strip()) from None


def _stable_part(model: mujoco.MjModel, damping: Array, dofs: list[int]) -> Array:
    """Returns, for each dof, the fraction of the damping with which the servo stays stable.

    The robot's own model uses an integrator that is stable at any damping. The robot can also be
    part of a world with MuJoCo's default integrator, which computes servo forces from the
    velocities at the beginning of a step. With this integrator, the damping must not reverse a
    motion within one step, nor a combined motion of several joints. If it would, the joints that
    take part in the motion get less damping.
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
    """Returns the inertia matrix with all joints at 0."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    inertia = np.zeros((model.nv, model.nv))
    for row, unit in zip(inertia, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, row, unit)
    return inertia
