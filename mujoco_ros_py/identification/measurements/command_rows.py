"""Reads commands for actuators: arrays and joint states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np

from ...config.wording import listed, unknown
from ...errors import ConfigError, RecordingError
from ...simulation import names_of
from ..sequences import Array, Commands
from .actuator_inputs import Input, input_of
from .command_units import array_factors, check_command_units
from .joint_names import mapped_joints
from .joint_signals import QUANTITIES, JointReader, JointTable
from .measured import Measured, Topic, ordered

_MOST = 20
"""The most names in a message."""


def actuators_of_model(model: mujoco.MjModel) -> list[str]:
    """Returns the names of the model's actuators, in their order."""
    return list(names_of(model, mujoco.mjtObj.mjOBJ_ACTUATOR, ''))


def commands_of(topic: Topic, actuators: tuple[str, ...], times: Array, table: Array) -> Measured:
    """Returns the commands in a table with a row for each message and NaN for missing values.

    A missing value keeps the one before. Messages before the first value of all are skipped.
    """
    found = Measured()
    order = np.argsort(times, kind='stable')  # NaN is last
    times, table = times[order], table[order]
    rows = np.where(np.isfinite(table), np.arange(len(table))[:, None], -1)
    held = np.maximum.accumulate(rows, axis=0)
    complete = (held >= 0).all(axis=1) & np.isfinite(times)
    values = np.take_along_axis(table, np.maximum(held, 0), axis=0)[complete]
    kept, values = ordered(times[complete], values)
    if len(kept):
        found.commands.append(
            Commands(actuators=actuators, times=kept, values=values, topic=topic.name)
        )
    else:
        found.notes.append(f'{topic.where}: no message has values for all actuators')
    return found


class ArrayCommands:
    """Reads arrays with a command for each actuator."""

    def __init__(self, topic: Topic) -> None:
        self._topic, self._rows = topic, list[Any]()

    def add(self, fields: Mapping[str, Any]) -> None:
        """Adds a message."""
        self._rows.append(fields['data'])

    def measured(self, times: Array) -> Measured:
        """Returns the commands; `times` has the time of each message in s, NaN for no time.

        Raises ConfigError if the actuators are unknown, or do not fit the arrays.
        """
        topic, known = self._topic, actuators_of_model(self._topic.model)
        for name in topic.own.actuators:
            if name not in known:
                raise ConfigError(f'{topic.option}.actuators: {unknown("actuator", name, known)}')
        actuators = topic.own.actuators or tuple(known)
        lengths = [len(each) for each in self._rows]
        width = max(set(lengths), key=lengths.count)
        if width != len(actuators):
            has = (
                f'{topic.option}.actuators has {len(actuators)}'
                if topic.own.actuators
                else f'the model has {len(known)} actuators'
            )
            raise ConfigError(
                f'{topic.where}: its arrays have {width} values, but {has}; set'
                f' {topic.option}.actuators to {width} of {listed(known, _MOST) or "none"}, or'
                f' {topic.option}.use to nothing'
            )
        whole = [k for k, length in enumerate(lengths) if length == width]
        table = np.array([self._rows[k] for k in whole], float).reshape(len(whole), width)
        table *= array_factors(topic, actuators)
        found = commands_of(topic, actuators, times[whole], table)
        for each in found.commands:
            check_command_units(topic, each)
        if len(whole) < len(lengths):
            found.notes.append(
                f'{topic.where}: {len(lengths) - len(whole)} of {len(lengths)} arrays are skipped,'
                f' because they do not have {width} values'
            )
        return found


class JointCommands(JointReader):
    """Reads joint states with commands for actuators, or for joints that have one."""

    def measured(self, times: Array) -> Measured:
        """Returns the commands; `times` has the time of each message in s, NaN for no time.

        Raises RecordingError or ConfigError if no actuator follows the commands.
        """
        topic, tables = self._topic, self._rows.tables()
        field = topic.own.field or self._field(tables)
        inputs = self._inputs(field)
        table = np.full((len(times), len(inputs)), np.nan)
        for column, (name, each) in enumerate(inputs.items()):
            table[tables[name].rows, column] = each.controls(tables[name].values[field])
        return commands_of(topic, tuple(each.actuator for each in inputs.values()), times, table)

    def _field(self, tables: Mapping[str, JointTable]) -> str:
        """Returns the first field with values."""
        for field in QUANTITIES:
            if any(np.isfinite(each.values[field]).any() for each in tables.values()):
                return field
        raise RecordingError(f'{self._topic.where}: no message has values')

    def _inputs(self, field: str) -> dict[str, Input]:
        """Returns the input of an actuator for each name in the messages."""
        topic, known = self._topic, actuators_of_model(self._topic.model)
        names = self._rows.names
        joints, missing = mapped_joints(topic, names)
        found = {
            name: Input(actuator=name.removeprefix(topic.prefix))
            for name in missing
            if name.removeprefix(topic.prefix) in known
        }
        found |= {name: input_of(topic, joint, field) for name, joint in joints.items()}
        if not found:
            raise RecordingError(
                f'{topic.where}: none of its names is a joint or an actuator of the model:'
                f' {listed(names, _MOST)}; actuators: {listed(known, _MOST) or "none"}'
            )
        return found
