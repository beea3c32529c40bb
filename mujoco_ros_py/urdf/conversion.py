"""Converts a URDF to an MJCF model."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .. import mjcf
from ..errors import UrdfError
from ..mjcf import Element, RootElement
from .actuators import add_actuators
from .appearance import Appearance
from .bodies import WORLD, add_bodies, mjcf_name
from .constraints import add_equalities, add_exclusions
from .drives import EFFORT, VELOCITY, Drive
from .files import RobotFiles
from .gazebo import GazeboTags, gazebo_tags
from .geoms import Geoms, add_classes
from .inertias import masses
from .kinematic_tree import KinematicTree
from .left_out import LeftOut
from .mesh_assets import MeshAssets
from .mujoco_extension import MujocoExtension
from .robot import Robot
from .robot_reading import robot_of
from .ros2_control import has_ros2_control, ros2_control_drives, with_mimic_parameters
from .servo_gains import servos
from .tag import Tag
from .transmissions import transmission_drives

_INTEGRATOR: Any = 'implicitfast'
"""The integrator for models with servos: it is stable at any damping."""


class UrdfModel(NamedTuple):
    """A model converted from a URDF, and a list of the unsupported parts."""

    model: mjcf.RootElement
    left_out: tuple[str, ...]
    """The parts of the URDF that were not converted, each mentioned once."""


def converted(root: Tag, files: RobotFiles, floating: bool) -> UrdfModel:
    """Converts a URDF to a model. Raises UrdfError if the URDF is invalid."""
    try:
        return _converted(root, files, floating)
    except UrdfError:
        raise
    except (ValueError, OverflowError) as error:  # the model breaks a rule of MJCF
        raise root.error(error) from None


def _converted(root: Tag, files: RobotFiles, floating: bool) -> UrdfModel:
    left_out = LeftOut()
    robot = with_mimic_parameters(robot_of(root, left_out))
    tree = KinematicTree(robot)
    if floating and tree.root == WORLD:
        raise root.error(f'the root link {WORLD!r} is the world, which cannot float')
    _check_names(robot, tree, left_out)
    model = RootElement(model=mjcf_name(robot.name) or 'robot')
    model.compiler.angle = 'radian'
    found = masses(robot.links, tree, not floating, left_out)
    bodies = add_bodies(model, robot, tree, found, floating)
    tags = gazebo_tags(robot, left_out)
    extension = MujocoExtension(robot)
    _add_shapes(model, bodies, robot, tags, extension, files, left_out)
    _add_gazebo(model, bodies, tags)
    add_equalities(model, robot, left_out)
    add_exclusions(model, robot, tree, tags, floating)
    drives = _drives(robot, left_out)
    _tell_speeds(robot, drives, left_out)
    if drives:
        driven = {drive.joint.name for drive in drives}
        add_actuators(model, drives, servos(robot, tree, found, floating, driven))
    extension.add_to(model, files)
    if any(drive.interface != EFFORT for drive in drives) and model.option.integrator is None:
        model.option.integrator = _INTEGRATOR
    return UrdfModel(model, left_out.sentences())


def _add_shapes(
    model: RootElement,
    bodies: dict[str, Element],
    robot: Robot,
    tags: GazeboTags,
    extension: MujocoExtension,
    files: RobotFiles,
    left_out: LeftOut,
) -> None:
    add_classes(model)
    meshes = MeshAssets(model, files, extension, left_out)
    geoms = Geoms(meshes, Appearance(model, files, extension, left_out))
    for name, link in robot.links.items():
        geoms.add(bodies[name], link, tags.links[name])


def _add_gazebo(model: RootElement, bodies: dict[str, Element], tags: GazeboTags) -> None:
    for name, link in tags.links.items():
        if link.weightless and name != WORLD:
            bodies[name].gravcomp = 1
    for name, (stiffness, reference) in tags.springs.items():
        joint: Any = model.find('joint', mjcf_name(name))
        if joint is not None:
            joint.set_attributes(stiffness=stiffness, springref=reference)


def _drives(robot: Robot, left_out: LeftOut) -> list[Drive]:
    """Returns the drives from <ros2_control>; without that element, from transmissions."""
    if has_ros2_control(robot):
        return ros2_control_drives(robot, left_out)
    return transmission_drives(robot, left_out)


def _tell_speeds(robot: Robot, drives: list[Drive], left_out: LeftOut) -> None:
    kept = {drive.joint.name for drive in drives if drive.interface == VELOCITY}
    for joint in robot.joints.values():
        if joint.name not in kept and math.isfinite(joint.velocity):
            left_out.add('velocity limits, which only velocity actuators respect', joint.name)


def _check_names(robot: Robot, tree: KinematicTree, left_out: LeftOut) -> None:
    for name, link in robot.links.items():
        if name == WORLD and name != tree.root:
            raise link.tag.error(
                f'a link named {WORLD!r} must be the root, but the root is {tree.root!r}'
            )
    for name in (*robot.links, *robot.joints):
        if '/' in name:
            left_out.add('slashes in names (replaced by _)', name)
