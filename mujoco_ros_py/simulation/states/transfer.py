"""Transfers the state of one model to another, object by object."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import mujoco
import numpy as np

from ...mujoco_internals import begin_histories, derive_sleep
from ..models.coupled_joints import Given, complete, couplings
from ..models.object_keys import ObjectKeys
from .moves import (
    CommonIds,
    Move,
    common_ids,
    move_alike_spans,
    move_rows,
    move_spans,
    span_sizes,
)

_POSITIONS = np.array([7, 4, 1, 1], np.int32)
"""The size of a joint in `qpos`, by its type (`mjtJoint`): free, ball, slide, hinge."""
_VELOCITIES = np.array([6, 3, 1, 1], np.int32)
_SLEEP = int(mujoco.mjtEnableBit.mjENBL_SLEEP)
_DOF_FIELDS = 'qvel', 'qacc_warmstart', 'qfrc_applied'
"""The arrays of the state with a number for each degree of freedom."""
_DOF_FORCES = 'qacc', 'qfrc_actuator', 'qfrc_smooth', 'qfrc_constraint'
"""Arrays over degrees of freedom that a forward pass computes after the control callbacks."""


class StateTransfer:
    """A mapping from the state of one model to the state of another.

    Objects that both models contain keep their state. Two objects are the same if they have the
    same name and kind, such as a hinge; see `ObjectKeys`. New objects start as after a reset; the
    state of removed objects is dropped. New joints that equalities couple with other joints start
    at the positions that the equalities require.

    Any thread may create a transfer. It takes a few milliseconds for a thousand bodies.
    """

    def __init__(self, before: ObjectKeys, after: ObjectKeys) -> None:
        """`before` and `after` contain the keys of the objects of both models.

        Both can be reused for other transfers; they compute the keys of each kind only once.
        """
        self._old, self._new = before, after
        self.before, self.after = before.model, after.model
        """The old and the new model."""
        self._moves = [move for move in self._all_moves() if len(move)]
        self._forces = [move for move in self._all_forces() if len(move)]
        self._trees = list(self._common_trees()) if _may_sleep(self.before) else []
        new_joints = set(np.delete(np.arange(self.after.njnt), self._same_joints.new).tolist())
        self._couplings = couplings(self.after, new_joints)
        carried = {joint for each in self._couplings for joint in each.joints - new_joints}
        self._carried = Given(carried, carried)
        del self._old, self._new

    def carry(self, old: mujoco.MjData, new: mujoco.MjData) -> None:
        """Writes the state of the old data into the new data, which must be freshly reset."""
        new.time = old.time
        begin_histories(self.after, new)
        new.warning.number[:] = old.warning.number  # otherwise MuJoCo would repeat warnings
        for move in self._moves:
            getattr(new, move.field)[move.target] = getattr(old, move.field)[move.source]
        complete(self.after, new, self._carried, self._couplings)

    def carry_forces(self, old: mujoco.MjData, new: mujoco.MjData) -> None:
        """Writes the accelerations and forces of the old data into the new data.

        These are the values of the last step, which callbacks expect in the next step.
        """
        for move in self._forces:
            getattr(new, move.field)[move.target] = getattr(old, move.field)[move.source]

    def carry_sleep(self, old: mujoco.MjData, new: mujoco.MjData) -> None:
        """Keeps sleeping trees of bodies asleep. Call it after computing the new data's poses.

        A tree stays asleep if the new model contains all trees that fell asleep together with it.
        If MuJoCo rejects the result, all trees wake up.
        """
        if not _may_sleep(self.after):
            return
        awake = new.tree_asleep.copy()
        there = dict(self._trees)
        asleep = old.tree_asleep
        for before, after in self._trees:
            following = int(asleep[before])
            if following < 0:
                new.tree_asleep[after] = following
            elif all(tree in there for tree in _cycle(asleep, before)):
                new.tree_asleep[after] = there[following]
        if not derive_sleep(self.after, new):
            new.tree_asleep[:] = awake

    def _all_moves(self) -> Iterator[Move]:
        yield from self._joints()
        yield from self._bodies()
        yield from self._actuator_values()
        yield from self._sensor_values()
        yield from self._histories()
        yield from self._plastic()
        yield from self._plugins()
        yield from self._equalities()
        common = slice(0, min(self.before.nuserdata, self.after.nuserdata))
        yield Move('userdata', common, common)

    def _all_forces(self) -> Iterator[Move]:
        dofs = self._dofs
        for field in _DOF_FORCES:
            yield Move(field, dofs.source, dofs.target)
        (starts, counts), (new_starts, new_counts) = map(_outputs, (self.before, self.after))
        alike = self._actuators.alike(counts, new_counts)
        yield move_spans('actuator_force', alike, starts, new_starts, counts[alike.old])

    def _common_trees(self) -> Iterator[tuple[int, int]]:
        """Yields the ids of common trees in the old and the new model."""
        there = {key: tree for tree, key in enumerate(self._new.trees)}
        for tree, key in enumerate(self._old.trees):
            if key in there:
                yield tree, there[key]

    @cached_property
    def _dofs(self) -> Move:
        """The move for arrays with one number per degree of freedom."""
        before, after, alike = self.before, self.after, self._same_joints
        sizes = _VELOCITIES[before.jnt_type[alike.old]]
        return move_spans('', alike, before.jnt_dofadr, after.jnt_dofadr, sizes)

    @cached_property
    def _same_joints(self) -> CommonIds:
        joints = common_ids(self._old.joints, self._new.joints)
        return joints.alike(self.before.jnt_type, self.after.jnt_type)

    @cached_property
    def _actuators(self) -> CommonIds:
        return common_ids(self._old.actuators, self._new.actuators)

    @cached_property
    def _sensors(self) -> CommonIds:
        return common_ids(self._old.sensors, self._new.sensors)

    def _joints(self) -> Iterator[Move]:
        before, after, alike = self.before, self.after, self._same_joints
        positions = _POSITIONS[before.jnt_type[alike.old]]
        yield move_spans('qpos', alike, before.jnt_qposadr, after.jnt_qposadr, positions)
        dofs = self._dofs
        for field in _DOF_FIELDS:
            yield Move(field, dofs.source, dofs.target)

    def _bodies(self) -> Iterator[Move]:
        before, after = self.before, self.after
        bodies = common_ids(self._old.bodies, self._new.bodies)
        yield move_rows('xfrc_applied', bodies)
        if not before.nmocap or not after.nmocap:
            return
        old, new = before.body_mocapid[bodies.old], after.body_mocapid[bodies.new]
        mocap = CommonIds(old, new).where((old >= 0) & (new >= 0))
        yield move_rows('mocap_pos', mocap)
        yield move_rows('mocap_quat', mocap)

    def _equalities(self) -> Iterator[Move]:
        before, after = self.before, self.after
        if not before.neq or not after.neq:
            return
        equalities = common_ids(self._old.equalities, self._new.equalities)
        yield move_rows('eq_active', equalities.alike(before.eq_type, after.eq_type))

    def _actuator_values(self) -> Iterator[Move]:
        """Yields the moves of controls and activations of actuators."""
        before, after, actuators = self.before, self.after, self._actuators
        (starts, counts), (new_starts, new_counts) = map(_controls, (before, after))
        alike = actuators.alike(counts, new_counts)
        yield move_spans('ctrl', alike, starts, new_starts, counts[alike.old])
        if not before.na or not after.na:
            return
        starts, new_starts = before.actuator_actadr, after.actuator_actadr
        there = (starts[actuators.old] >= 0) & (new_starts[actuators.new] >= 0)
        alike = actuators.where(there).alike(before.actuator_actnum, after.actuator_actnum)
        yield move_spans('act', alike, starts, new_starts, before.actuator_actnum[alike.old])

    def _sensor_values(self) -> Iterator[Move]:
        """Yields the moves of sensor values, because some sensors keep them for several steps."""
        before, after = self.before, self.after
        if not before.nsensor or not after.nsensor:
            return
        alike = self._sensors.alike(before.sensor_type, after.sensor_type)
        alike = alike.alike(before.sensor_dim, after.sensor_dim)
        counts = before.sensor_dim[alike.old]
        yield move_spans('sensordata', alike, before.sensor_adr, after.sensor_adr, counts)

    def _histories(self) -> Iterator[Move]:
        before, after = self.before, self.after
        if not before.nhistory or not after.nhistory:
            return
        sizes = [
            span_sizes((model.actuator_historyadr, model.sensor_historyadr), model.nhistory)
            for model in (before, after)
        ]
        for ids, array in (
            (self._actuators, 'actuator_historyadr'),
            (self._sensors, 'sensor_historyadr'),
        ):
            yield move_alike_spans(
                'history', ids, getattr(before, array), getattr(after, array), *sizes
            )

    def _plastic(self) -> Iterator[Move]:
        names = 'jnt_plasticadr', 'tendon_plasticadr', 'flex_plasticadr'
        if not all(hasattr(self.before, name) for name in names):
            return  # MuJoCo 3 has no plasticity
        before, after = self.before, self.after
        if not before.nplastic or not after.nplastic:
            return
        sizes = [
            span_sizes([getattr(model, name) for name in names], model.nplastic)
            for model in (before, after)
        ]
        keys = (
            (self._old.joints, self._new.joints),
            (self._old.tendons, self._new.tendons),
            (self._old.flexes, self._new.flexes),
        )
        for (old_keys, new_keys), name in zip(keys, names, strict=True):
            ids = common_ids(old_keys, new_keys)
            yield move_alike_spans(
                'plastic', ids, getattr(before, name), getattr(after, name), *sizes
            )

    def _plugins(self) -> Iterator[Move]:
        before, after = self.before, self.after
        if not before.nplugin or not after.nplugin:
            return
        alike = common_ids(self._old.plugins, self._new.plugins)
        alike = alike.alike(before.plugin, after.plugin)
        alike = alike.alike(before.plugin_statenum, after.plugin_statenum)
        counts = before.plugin_statenum[alike.old]
        starts = before.plugin_stateadr, after.plugin_stateadr
        yield move_spans('plugin_state', alike, *starts, counts)


def _may_sleep(model: mujoco.MjModel) -> bool:
    return bool(model.opt.enableflags & _SLEEP)


def _controls(model: mujoco.MjModel) -> tuple[Any, Any]:
    """Returns the index of each actuator's first control, and the number of its controls.

    In MuJoCo 3, each actuator has one control.
    """
    if hasattr(model, 'actuator_ctrladr'):
        return model.actuator_ctrladr, model.actuator_ctrlnum
    return np.arange(model.nu, dtype=np.int32), np.ones(model.nu, np.int32)


def _outputs(model: mujoco.MjModel) -> tuple[Any, Any]:
    """Returns the index of each actuator's first output, and the number of its outputs.

    In MuJoCo 3, each actuator has one output.
    """
    if hasattr(model, 'actuator_outadr'):
        return model.actuator_outadr, model.actuator_outnum
    return np.arange(model.nu, dtype=np.int32), np.ones(model.nu, np.int32)


def _cycle(asleep: Any, tree: int) -> Iterator[int]:
    """Yields the trees that fell asleep together with a tree, including this tree."""
    following = tree
    for _ in range(len(asleep)):
        yield following
        following = int(asleep[following])
        if following == tree or following < 0:
            return
