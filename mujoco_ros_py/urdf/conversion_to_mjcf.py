"""Makes a model of a URDF."""

from __future__ import annotations

from typing import NamedTuple

from ..mjcf import RootElement
from .appearance import Appearance
from .bodies import WORLD, add_bodies, mjcf_name
from .constraints import add_equalities, add_exclusions
from .geoms import Geoms, add_classes
from .inertias import masses
from .kinematic_tree import KinematicTree
from .left_out import LeftOut
from .mesh_assets import MeshAssets
from .robot import Robot
from .robot_files import RobotFiles
from .robot_reading import robot_of
from .tag import Tag


class UrdfModel(NamedTuple):
    """A model that was made of a URDF, and what of the URDF it lacks."""

    model: RootElement
    left_out: tuple[str, ...]
    """Sentences on what was left out, each once."""


def converted(root: Tag, files: RobotFiles, floating: bool) -> UrdfModel:
    """Returns the model of a URDF. Raises UrdfError if the URDF breaks a rule."""
    left_out = LeftOut()
    robot = robot_of(root, left_out)
    tree = KinematicTree(robot)
    if floating and tree.root == WORLD:
        raise root.error(f'the root link {WORLD!r} is the world, which cannot float')
    _check_names(robot, tree, left_out)
    model = RootElement(model=mjcf_name(robot.name) or 'robot')
    model.compiler.angle = 'radian'
    add_classes(model)
    meshes = MeshAssets(model, files, left_out)
    geoms = Geoms(meshes, Appearance(model, files, left_out))
    found = masses(robot.links, tree, not floating, left_out)
    add_bodies(model, robot, tree, found, geoms, floating)
    add_equalities(model, robot, left_out)
    add_exclusions(model, robot, tree, floating)
    return UrdfModel(model, left_out.sentences())


def _check_names(robot: Robot, tree: KinematicTree, left_out: LeftOut) -> None:
    for name, link in robot.links.items():
        if name == WORLD and name != tree.root:
            raise link.tag.error(f'a link {WORLD!r} must be the root, and {tree.root!r} is')
    for name in (*robot.links, *robot.joints):
        if '/' in name:
            left_out.add('names have _ in place of /', name)
