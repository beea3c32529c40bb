"""Adds a robot's constraints: mimic joints, locked joints and contact exclusions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from ..mjcf import RootElement
from .bodies import WORLD, is_locked, mjcf_name
from .gazebo import GazeboTags
from .kinematic_tree import KinematicTree
from .left_out import LeftOut
from .robot import FIXED, Joint, Robot


def add_equalities(model: RootElement, robot: Robot, left_out: LeftOut) -> None:
    """Adds an equality constraint for each mimic joint and each locked joint."""
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
        left_out.add(f'<mimic> elements that follow {followed.type} joints, in joints', joint.name)
    _hold(model, joint, mimic.offset)


def _hold(model: RootElement, joint: Joint, position: float) -> None:
    model.equality.add('joint', joint1=mjcf_name(joint.name), polycoef=(position, 0, 0, 0, 0))


def add_exclusions(
    model: RootElement, robot: Robot, tree: KinematicTree, tags: GazeboTags, floating: bool
) -> None:
    """Excludes contacts between links that must not collide.

    If self-collision is off for a link, the link does not collide with any other link. MuJoCo
    itself excludes contacts between a body and its parent (and bodies welded to either of them),
    but not if the parent is fixed to the world. For a fixed base, this function therefore excludes
    contacts with the links that joints connect to the base.
    """
    colliding = [name for name, link in robot.links.items() if link.collisions]
    pairs = {} if floating else dict.fromkeys(_beside_the_base(tree, set(colliding)))
    for one, other in combinations(colliding, 2):
        alone = not (tags.links[one].self_collides and tags.links[other].self_collides)
        apart = tree.welded[one] != tree.welded[other] and WORLD not in (one, other)
        if alone and apart and (other, one) not in pairs:
            pairs[one, other] = None
    for one, other in pairs:
        model.contact.add('exclude', body1=mjcf_name(one), body2=mjcf_name(other))


def _beside_the_base(tree: KinematicTree, colliding: set[str]) -> Iterator[tuple[str, str]]:
    groups = tree.groups()
    base = [name for name in groups[tree.root] if name in colliding and name != WORLD]
    for top, group in groups.items():
        if top != tree.root and _parent(tree, top) == tree.root:
            yield from product(base, (name for name in group if name in colliding))


def _parent(tree: KinematicTree, top: str) -> str:
    """Returns the topmost link of the group above the group whose topmost link is `top`."""
    return tree.welded[tree.above[top].parent]
