"""Joints coupled by equality constraints, such as mimic joints and their leaders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import mujoco
import numpy as np

from .object_names import name_of

_JOINT = mujoco.mjtObj.mjOBJ_JOINT
_EQUALITY = int(mujoco.mjtEq.mjEQ_JOINT)
_DISABLED = int(mujoco.mjtDisableBit.mjDSBL_EQUALITY)
_NOBODY = -1
_ROUNDED = 1e-3
"""The tolerance in rad or m up to which given positions fulfil an equality: keyframes have rounded
numbers, and MuJoCo corrects such a small error without a jolt."""


@dataclass(frozen=True, slots=True)
class Coupling:
    """An equality of two joints: the follower's position is a polynomial of the leader's.

    Both positions are relative to `qpos0`.
    """

    equality: int
    """The id of the equality."""
    follower: int
    leader: int
    """The id of the leading joint; -1 if the first coefficient fixes the follower's position."""
    coefficients: tuple[float, ...]

    @property
    def joints(self) -> set[int]:
        """The ids of the joints."""
        return {self.follower, self.leader} - {_NOBODY}

    def determines(self, joint: int) -> bool:
        """Returns whether the other joint determines this joint's position.

        A follower determines its leader only if the polynomial is linear.
        """
        _, slope, *higher = self.coefficients
        return joint == self.follower or (slope != 0.0 and not any(higher))

    def position(self, model: mujoco.MjModel, data: mujoco.MjData, joint: int) -> float:
        """Returns the position in rad or m that this joint must have, given the other's."""
        constant, slope, *_ = self.coefficients
        start = float(model.qpos0[model.jnt_qposadr[joint]])
        if joint == self.leader:
            return start + (_offset(model, data, self.follower) - constant) / slope
        offset = _offset(model, data, self.leader)
        return start + sum(each * offset**k for k, each in enumerate(self.coefficients))

    def velocity(self, model: mujoco.MjModel, data: mujoco.MjData, joint: int) -> float:
        """Returns the velocity in rad/s or m/s that this joint must have, given the other's."""
        if self.leader == _NOBODY:
            return 0.0
        offset = _offset(model, data, self.leader)
        slope = sum(k * c * offset ** (k - 1) for k, c in enumerate(self.coefficients) if k)
        if joint == self.leader:
            return float(data.qvel[model.jnt_dofadr[self.follower]]) / slope
        return slope * float(data.qvel[model.jnt_dofadr[self.leader]])


@dataclass(frozen=True, slots=True)
class Given:
    """The ids of joints with given positions, and of joints with given velocities."""

    positions: set[int] = field(default_factory=set)
    velocities: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Completion:
    """The outcome of `complete`."""

    moved: list[str] = field(default_factory=list)
    """The names of joints whose positions or velocities have changed."""
    misfits: list[str] = field(default_factory=list)
    """A message for each equality that the given positions violate."""


def couplings(
    model: mujoco.MjModel, joints: Collection[int] | None = None
) -> tuple[Coupling, ...]:
    """Returns the equalities between joints; with `joints`, only those that involve these."""
    found = []
    for number in np.flatnonzero(model.eq_type == _EQUALITY).tolist():
        follower, leader = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
        if joints is None or follower in joints or leader in joints:
            coefficients = tuple(map(float, model.eq_data[number, :5]))
            found.append(Coupling(number, follower, leader, coefficients))
    return tuple(found)


def complete(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    given: Given,
    among: Iterable[Coupling],
    *,
    touched_only: bool = False,
) -> Completion:
    """Computes the positions and velocities of coupled joints from the given joints.

    Leaders that no other joint determines keep their state. With `touched_only`, joints without a
    coupling to a given joint also keep their state. Inactive equalities are ignored.
    """
    completion = Completion()
    if model.opt.disableflags & _DISABLED:
        return completion
    for group in _groups([each for each in among if data.eq_active[each.equality]]):
        joints = _joints(group)
        before = {joint: _state(model, data, joint) for joint in sorted(joints)}
        placed = not touched_only or not joints.isdisjoint(given.positions)
        if placed:
            for coupling, joint in _order(group, given.positions):
                data.qpos[model.jnt_qposadr[joint]] = coupling.position(model, data, joint)
            completion.misfits += _misfits(model, data, group)
        if placed or not joints.isdisjoint(given.velocities):
            for coupling, joint in _order(group, given.velocities):
                data.qvel[model.jnt_dofadr[joint]] = coupling.velocity(model, data, joint)
        completion.moved += [
            name_of(model, _JOINT, joint)
            for joint, state in before.items()
            if state != _state(model, data, joint)
        ]
    return completion


def given_by_keyframe(
    model: mujoco.MjModel, data: mujoco.MjData, among: Sequence[Coupling]
) -> Given:
    """Returns the coupled joints that a keyframe sets, for data just reset to the keyframe.

    The positions of a group of coupled joints do not count as set if all are at `qpos0`, nor their
    velocities if all are zero. If a world consists of several models, a keyframe written for one
    of them leaves the joints of the others at these values.
    """
    given = Given()
    for joints in map(_joints, _groups(among)):
        if any(_offset(model, data, joint) for joint in joints):
            given.positions.update(joints)
        if any(data.qvel[model.jnt_dofadr[joint]] for joint in joints):
            given.velocities.update(joints)
    return given


def _joints(among: Iterable[Coupling]) -> set[int]:
    return {joint for each in among for joint in each.joints}


def _state(model: mujoco.MjModel, data: mujoco.MjData, joint: int) -> tuple[float, float]:
    return data.qpos[model.jnt_qposadr[joint]], data.qvel[model.jnt_dofadr[joint]]


def _offset(model: mujoco.MjModel, data: mujoco.MjData, joint: int) -> float:
    """Returns the distance of a joint from `qpos0` in rad or m; 0 for a missing leader."""
    if joint == _NOBODY:
        return 0.0
    place = model.jnt_qposadr[joint]
    return float(data.qpos[place] - model.qpos0[place])


def _by_joint(among: Iterable[Coupling]) -> dict[int, list[Coupling]]:
    found = defaultdict(list)
    for each in among:
        for joint in each.joints:
            found[joint].append(each)
    return found


def _groups(among: Sequence[Coupling]) -> Iterator[list[Coupling]]:
    """Yields groups of couplings that share joints, directly or through other couplings."""
    by_joint, seen = _by_joint(among), set[Coupling]()
    for first in among:
        group, waiting = [], [first]
        while waiting:
            each = waiting.pop()
            if each not in seen:
                seen.add(each)
                group.append(each)
                waiting += [other for joint in each.joints for other in by_joint[joint]]
        if group:
            yield sorted(group, key=lambda each: each.equality)


def _order(group: Sequence[Coupling], given: Collection[int]) -> Iterator[tuple[Coupling, int]]:
    """Yields the couplings to apply, in order, each with the joint whose state it determines."""
    by_joint = _by_joint(group)
    known = {joint for joint in by_joint if joint in given}
    yield from _spread(by_joint, known, sorted(known))
    for each in group:
        if each.leader == _NOBODY and each.follower not in known:
            yield each, each.follower
            yield from _spread(by_joint, known, [each.follower])
    followers = {each.follower for each in group}
    leaders = [each.leader for each in group if each.leader != _NOBODY]
    # Leaders that do not themselves follow another joint come first.
    for leader in sorted(leaders, key=followers.__contains__):
        if leader not in known:
            yield from _spread(by_joint, known, [leader])


def _spread(
    by_joint: dict[int, list[Coupling]], known: set[int], waiting: list[int]
) -> Iterator[tuple[Coupling, int]]:
    """Yields the joints that the waiting joints determine, directly or not, and the couplings.

    Adds these joints to `known`.
    """
    known.update(waiting)
    for joint in waiting:  # grows during the loop
        for each in by_joint[joint]:
            for other in each.joints - known:
                if each.determines(other):
                    yield each, other
                    known.add(other)
                    waiting.append(other)


def _misfits(
    model: mujoco.MjModel, data: mujoco.MjData, group: Iterable[Coupling]
) -> Iterator[str]:
    for each in group:
        there = float(data.qpos[model.jnt_qposadr[each.follower]])
        wanted = each.position(model, data, each.follower)
        if abs(there - wanted) <= _ROUNDED:
            continue
        name, by = name_of(model, _JOINT, each.follower), ''
        if each.leader != _NOBODY:
            leading = float(data.qpos[model.jnt_qposadr[each.leader]])
            by = f' with joint {name_of(model, _JOINT, each.leader)!r} at {leading:g}'
        yield f'joint {name!r} is at {there:g}, but its equality{by} requires {wanted:g}'
