"""The constraints of a robot: joints that follow others or are held, contacts to leave out."""

from __future__ import annotations

from itertools import product

from ..mjcf import RootElement
from .bodies import WORLD, is_locked, mjcf_name
from .kinematic_tree import KinematicTree
from .left_out import LeftOut
from .robot import FIXED, Joint, Robot


def add_equalities(model: RootElement, robot: Robot, left_out: LeftOut) -> None:
    """Adds an equality for each joint that follows another one, or has one position only."""
    for joint in robot.joints.values():
        if joint.mimic is not None:
            _add_mimic(model, robot, joint, left_out)
        elif is_locked(joint):
            _hold(model, joint, joint.lower)


def _add_mimic(model: RootElement, robot: Robot, joint: Joint, left_out: LeftOut) -> None:
    mimic = joint.mimic
    assert mimic is not None
    followed = robot.joints[mimic.joint]
    if followed.is_single:
        model.equality.add(
            'joint',
            joint1=mjcf_name(joint.name),
            joint2=mjcf_name(followed.name),
            polycoef=(mimic.offset, mimic.multiplier, 0, 0, 0),
        )
        return
    if followed.type != FIXED:
        left_out.add(f'the mimicking of {followed.type} joints, by joints', joint.name)
    _hold(model, joint, mimic.offset)


def _hold(model: RootElement, joint: Joint, position: float) -> None:
    model.equality.add('joint', joint1=mjcf_name(joint.name), polycoef=(position, 0, 0, 0, 0))


def add_exclusions(model: RootElement, robot: Robot, tree: KinematicTree, floating: bool) -> None:
    """Excludes contacts of a fixed base with the links that joints connect it to.

    Of bodies that move MuJoCo leaves out those contacts, also of what is fixed to them. For what
    is fixed to the world it does not.
    """
    groups = tree.groups()
    colliding = {name for name, link in robot.links.items() if link.collisions}
    if floating:
        return
    base = [name for name in groups[tree.root] if name in colliding and name != WORLD]
    moved = [top for top in groups if top != tree.root and _parent(tree, top) == tree.root]
    for top in moved:
        links = [name for name in groups[top] if name in colliding]
        for one, other in product(base, links):
            model.contact.add('exclude', body1=mjcf_name(one), body2=mjcf_name(other))


def _parent(tree: KinematicTree, top: str) -> str:
    """Returns the topmost link of those that a group of links is connected to."""
    return tree.welded[tree.above[top].parent]
