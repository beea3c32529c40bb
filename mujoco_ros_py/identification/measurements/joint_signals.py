"""Reads positions, velocities and efforts of joints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...config.wording import listed
from ..sequences import Array, Quantity, Signal, Source
from .joint_names import check_distinct, joints_of, mapped_joints, none_found
from .measured import Measured, Topic, ordered
from .units import check_units, factor_of, unwrapped

QUANTITIES: tuple[Quantity, ...] = 'position', 'velocity', 'effort'


@dataclass(frozen=True, kw_only=True, slots=True)
class JointTable:
    """The values of one joint in the messages; NaN if a message lacks the value."""

    rows: np.ndarray[Any, np.dtype[np.int64]]
    """The indices of the messages with the joint."""
    values: Mapping[str, Array]
    """The values by quantity."""


class JointRows:
    """Collects joint states, whose messages can have different joints."""

    def __init__(self) -> None:
        self._count = 0
        self._groups: dict[tuple[str, ...], list[tuple[int, list[Any]]]] = {}

    def add(self, fields: Mapping[str, Any]) -> None:
        """Adds a message."""
        values = [fields[name] for name in QUANTITIES]
        self._groups.setdefault(tuple(fields['name']), []).append((self._count, values))
        self._count += 1

    @property
    def names(self) -> list[str]:
        """The names in all messages, in order of their appearance."""
        return list(dict.fromkeys(name for names in self._groups for name in names))

    def tables(self) -> dict[str, JointTable]:
        """Returns the values of each joint."""
        parts: dict[str, list[tuple[Any, Array]]] = {}
        for names, messages in self._groups.items():
            rows = np.array([row for row, _ in messages])
            cube = np.full((len(messages), len(QUANTITIES), len(names)), np.nan)
            for k, (_, values) in enumerate(messages):
                for j, each in enumerate(values):
                    count = min(len(each), len(names))
                    cube[k, j, :count] = each[:count]
            for column, name in enumerate(names):
                parts.setdefault(name, []).append((rows, cube[:, :, column]))
        return {name: _joined(each) for name, each in parts.items()}


def _joined(parts: list[tuple[Any, Array]]) -> JointTable:
    rows = np.concatenate([rows for rows, _ in parts])
    values = np.concatenate([values for _, values in parts])
    order = np.argsort(rows, kind='stable')
    return JointTable(
        rows=rows[order],
        values={name: values[order, k] for k, name in enumerate(QUANTITIES)},
    )


class JointReader:
    """Collects the joint states of a topic."""

    def __init__(self, topic: Topic) -> None:
        self._topic, self._rows = topic, JointRows()

    def add(self, fields: Mapping[str, Any]) -> None:
        """Adds a message."""
        self._rows.add(fields)

    @property
    def names(self) -> list[str]:
        """The names in the messages."""
        return self._rows.names


class JointSignals(JointReader):
    """Reads joint states as signals."""

    def measured(self, times: Array) -> Measured:
        """Returns the signals; `times` has the time of each message in s, NaN for no time."""
        topic, found = self._topic, Measured()
        joints, missing = mapped_joints(topic, self._rows.names)
        check_distinct(topic, joints)
        if not joints:
            found.notes.append(none_found(topic, self._rows.names))
            return found
        if missing:
            found.notes.append(
                f'{topic.where}: these joints are not in the model: {listed(missing, 20)}'
            )
        tables = self._rows.tables()
        for name, joint in joints.items():
            found.signals += _signals(topic, joint, tables[name], times, found.notes)
        unseen = joints_of(topic.model).keys() - {
            each.source.name for each in found.signals if each.source.quantity != 'effort'
        }
        if unseen:
            found.notes.append(
                f'{topic.where}: it has no positions or velocities of {listed(sorted(unseen), 20)}'
            )
        return found


def _signals(
    topic: Topic, joint: int, table: JointTable, times: Array, notes: list[str]
) -> Iterator[Signal]:
    """Yields the signals of a joint, in SI units."""
    name = topic.model.joint(joint).name
    hinge = topic.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE
    factors = [*(factor_of(each) for each in topic.units), 1.0] if hinge else [1.0] * 3
    series = {
        quantity: ordered(times[table.rows], table.values[quantity] * factor)
        for quantity, factor in zip(QUANTITIES, factors, strict=True)
    }
    if hinge:
        recorded = series['position']
        series['position'] = unwrapped(topic, joint, recorded)
        if series['position'] is not recorded:
            notes.append(f'{topic.where}: the position of {name} wraps: its turns are counted')
    moves = any(np.ptp(series[each][1]) > 0.0 for each in QUANTITIES[:2] if len(series[each][1]))
    for quantity in QUANTITIES[1:]:
        values = series[quantity][1]
        if len(values) and moves and not values.any():
            notes.append(f'{topic.where}: the {quantity} of {name} is not used: it is always 0')
            series[quantity] = np.zeros(0), np.zeros(0)
    if hinge:
        check_units(topic, joint, series['position'], series['velocity'])
    for quantity, (kept, values) in series.items():
        if len(kept) > 1:
            source = Source(quantity=quantity, name=name)
            yield Signal(source=source, times=kept, values=values, topic=topic.name)
