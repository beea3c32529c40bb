"""The inertia of each joint of a robot, which the gains of its actuators depend on."""

from __future__ import annotations

import mujoco

from ..mjcf import RootElement
from .bodies import add_bodies, mjcf_name
from .inertias import Mass
from .kinematic_tree import KinematicTree
from .robot import Robot


def joint_inertia(
    robot: Robot, tree: KinematicTree, masses: dict[str, Mass], floating: bool
) -> dict[str, float]:
    """Returns the inertia that each joint with one position has if the others are free to move.

    It is that of the robot with all joints at 0, without shapes, in kg m^2 or kg. Raises UrdfError
    for a robot whose masses MuJoCo does not accept.
    """
    skeleton = RootElement()
    skeleton.compiler.angle = 'radian'
    add_bodies(skeleton, robot, tree, masses, floating)
    try:
        model = mujoco.MjModel.from_xml_string(skeleton.to_xml_string(precision=17))
    except ValueError as error:
        raise robot.tag.error(str(error).strip()) from None
    found = {}
    for joint in filter(lambda each: each.is_single, robot.joints.values()):
        number = model.joint(mjcf_name(joint.name)).id
        found[joint.name] = 1.0 / float(model.dof_invweight0[model.jnt_dofadr[number]])
    return found
