"""Converts the joints of a body to a chain of URDF joints."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
from lxml import etree

from .model_names import ModelNames
from .rigid_transforms import RigidTransform, numbers

_FREE, _BALL, _SLIDE, _HINGE = (
    int(getattr(mujoco.mjtJoint, f'mjJNT_{name}')) for name in ('FREE', 'BALL', 'SLIDE', 'HINGE')
)
_ON_JOINTS = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
_UNLIMITED = '1e9'
"""The value written for unlimited joints, because URDF requires a limit."""


class JointChains:
    """Adds the joints between bodies to a <robot>.

    A URDF joint turns about the origin of its child link. A body with several joints, or with a
    joint away from its origin, therefore gets intermediate links.
    """

    def __init__(self, robot: etree._Element, model: mujoco.MjModel, names: ModelNames) -> None:
        self._robot = robot
        self._model = model
        self._names = names
        self._mimics = _mimics(model)
        self._efforts = _efforts(model)

    def add(self, body: int) -> None:
        """Adds the joints between a body's parent and the body."""
        model, names = self._model, self._names
        place = RigidTransform.of(model.body_pos[body], model.body_quat[body])
        link, last = names.links[model.body_parentid[body]], names.links[body]
        first = int(model.body_jntadr[body])
        joints = range(first, first + int(model.body_jntnum[body])) if first >= 0 else range(0)
        for joint in joints:
            origin, rest = self._split(joint)
            origin = place.then(origin) if int(model.jnt_type[joint]) != _FREE else place
            ends = joint == joints[-1] and rest.is_identity
            child = last if ends else self._between(f'{last}_{names.joints[joint]}')
            self._joint(joint, link, child, origin)
            link, place = child, rest
        if link != last:
            kind = 'floating' if model.body_mocapid[body] >= 0 else 'fixed'
            self._element(names.free(f'{last}_joint'), kind, link, last, place)

    def _split(self, joint: int) -> tuple[RigidTransform, RigidTransform]:
        """Returns the joint's pose in the body frame, and the body's pose in the joint frame.

        MJCF gives a body's pose for the joint at `qpos0`, and URDF gives a link's pose for the
        joint at 0. The first pose therefore includes a joint motion of -`qpos0`.
        """
        model = self._model
        kind, anchor = int(model.jnt_type[joint]), np.array(model.jnt_pos[joint])
        start, axis = float(model.qpos0[model.jnt_qposadr[joint]]), np.array(model.jnt_axis[joint])
        if kind == _SLIDE:
            return RigidTransform.of(-start * axis), RigidTransform.of()
        if kind == _FREE:
            return RigidTransform.of(), RigidTransform.of()
        if kind == _BALL or not start:
            return RigidTransform.of(anchor), RigidTransform.of(-anchor)
        quat = np.empty(4)
        mujoco.mju_axisAngle2Quat(quat, axis, -start)
        return RigidTransform.of(anchor, quat), RigidTransform.of(-anchor)

    def _between(self, name: str) -> str:
        link = self._names.free(name)
        etree.SubElement(self._robot, 'link', name=link)
        return link

    def _joint(self, joint: int, parent: str, child: str, origin: RigidTransform) -> None:
        model = self._model
        kind, limited = int(model.jnt_type[joint]), bool(model.jnt_limited[joint])
        name = self._names.joints[joint]
        if kind in (_FREE, _BALL):
            self._element(name, 'floating', parent, child, origin)
            return
        words = {_SLIDE: 'prismatic', _HINGE: 'revolute' if limited else 'continuous'}
        made = self._element(name, words[kind], parent, child, origin)
        etree.SubElement(made, 'axis', xyz=numbers(model.jnt_axis[joint]))
        self._add_limit(made, joint, kind, limited)
        self._add_dynamics(made, int(model.jnt_dofadr[joint]))
        if joint in self._mimics:
            other, multiplier, offset = self._mimics[joint]
            etree.SubElement(
                made, 'mimic', joint=self._names.joints[other],
                multiplier=numbers([multiplier]), offset=numbers([offset]),
            )  # fmt: skip

    def _add_limit(self, made: Any, joint: int, kind: int, limited: bool) -> None:
        model, effort = self._model, self._efforts[joint]
        if not (limited or effort < math.inf or kind == _SLIDE):
            return
        given = {}
        if limited or kind == _SLIDE:
            lower, upper = model.jnt_range[joint] if limited else (-1e9, 1e9)
            given = {'lower': numbers([lower]), 'upper': numbers([upper])}
        greatest = numbers([effort]) if effort < math.inf else _UNLIMITED
        etree.SubElement(made, 'limit', **given, effort=greatest, velocity=_UNLIMITED)

    def _add_dynamics(self, made: Any, dof: int) -> None:
        damping = float(np.ravel(self._model.dof_damping[dof])[0])
        friction = float(self._model.dof_frictionloss[dof])
        if damping or friction:
            given = {'damping': numbers([damping]), 'friction': numbers([friction])}
            etree.SubElement(made, 'dynamics', **given)

    def _element(
        self, name: str, kind: str, parent: str, child: str, origin: RigidTransform
    ) -> Any:
        made = etree.SubElement(self._robot, 'joint', name=name, type=kind)
        etree.SubElement(made, 'parent', link=parent)
        etree.SubElement(made, 'child', link=child)
        if found := origin.origin():
            etree.SubElement(made, 'origin', **found)
        return made


def _efforts(model: mujoco.MjModel) -> list[float]:
    """Returns the maximum actuator effort on each joint in N m or N; inf if unlimited."""
    found = [0.0] * model.njnt
    for number in range(model.nu):
        if int(model.actuator_trntype[number]) in _ON_JOINTS:
            found[int(model.actuator_trnid[number, 0])] += _greatest_effort(model, number)
    for joint, effort in enumerate(found):
        limited = bool(model.jnt_actfrclimited[joint])
        own = float(np.abs(model.jnt_actfrcrange[joint]).max()) if limited else math.inf
        found[joint] = min(effort or math.inf, own)
    return found


def _greatest_effort(model: mujoco.MjModel, number: int) -> float:
    """Returns an actuator's maximum effort on its joint; inf if it is unlimited or unknown."""
    gear = abs(float(model.actuator_gear[number, 0]))
    if model.actuator_forcelimited[number]:
        return gear * float(np.abs(model.actuator_forcerange[number]).max())
    is_motor = (
        model.actuator_ctrllimited[number]
        and model.actuator_gaintype[number] == mujoco.mjtGain.mjGAIN_FIXED
        and model.actuator_biastype[number] == mujoco.mjtBias.mjBIAS_NONE
        and model.actuator_dyntype[number] == mujoco.mjtDyn.mjDYN_NONE
    )
    if not is_motor:
        return math.inf
    gain = abs(float(model.actuator_gainprm[number, 0]))
    return gear * gain * float(np.abs(model.actuator_ctrlrange[number]).max())


def _mimics(model: mujoco.MjModel) -> dict[int, tuple[int, float, float]]:
    """Maps each joint that mimics another joint to (mimicked joint, multiplier, offset)."""
    found = {}
    for number in range(model.neq):
        law = model.eq_data[number]
        one, other = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
        is_joint = model.eq_type[number] == mujoco.mjtEq.mjEQ_JOINT
        if not is_joint or other < 0 or not model.eq_active0[number] or any(law[2:5]):
            continue
        start, others = (float(model.qpos0[model.jnt_qposadr[each]]) for each in (one, other))
        offset = start + float(law[0]) - float(law[1]) * others
        if math.isfinite(offset):
            found[one] = other, float(law[1]), offset
    return found
