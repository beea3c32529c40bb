"""Turns the entries of a timeline that act on messages into rows for compiled code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.messages import message_layout
from ...errors import ConfigError
from ...plugins import State
from .delays import MESSAGE_EFFECT
from .effect_rows import EFFECT_MEMORY, effect_row, padded, stream_key
from .message_fields import number_place
from .message_numbers import MESSAGE_JOINT, MESSAGE_NUMBER
from .number_rows import entry_number
from .numbers import NUMBER
from .timeline import NUMBER_EFFECTS, NamedEntry
from .transits import PIPE

Rows = NDArray[Any]
_MEMORY = {*EFFECT_MEMORY, 'stuck', 'held', 'last_index', 'time', 'due'}
"""The fields that compiled code writes."""

TRANSIT_PLACES = (
    *(f'pipes.{name}' for name in ('first', 'count', 'first_number', 'number_count')),
    *(f'pipes.{name}' for name in ('first_joint', 'joint_count')),
    *(f'message_effects.{name}' for name in ('entry', 'first', 'count')),
    *(f'message_numbers.{name}' for name in ('entry', 'place', 'index', 'stride', 'inner')),
    'message_numbers.single',
    *(f'message_joints.{name}_place' for name in ('name', 'position', 'velocity')),
    *(f'message_joints.{name}' for name in ('entry', 'first_letter', 'letters')),
)
"""The entries of `Savable.places` for these fields: compiled code uses the values unchecked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pipe:
    """The messages of one topic in one direction, and the entries that act on them."""

    topic: str
    """The full name of the topic."""
    published: bool
    """Whether the server publishes the messages; otherwise it receives them."""
    kind: type
    """The message type."""
    entries: tuple[NamedEntry, ...] = ()
    """The entries with effects on the messages, or on a field of them."""
    encoders: tuple[tuple[NamedEntry, str], ...] = ()
    """For sensor_msgs/JointState: each entry that acts on an encoder, and the joint's name in the
    messages."""


class _RowMaker:
    """Collects the rows of all pipes."""

    def __init__(self, timeline: Sequence[NamedEntry], stream: tuple[object, ...]) -> None:
        """`stream` contains the parts that the random number keys of all entries share."""
        self._places = {entry.name: index for index, entry in enumerate(timeline)}
        self._stream = stream
        self.effects: list[Rows] = []
        self.numbers: list[Rows] = []
        self.joints: list[Rows] = []
        self.measured: list[float] = []
        self.letters = bytearray()

    def add(self, pipe: Pipe) -> Rows:
        """Appends the rows of a pipe's entries; returns the row of type `PIPE`."""
        row = np.zeros((), PIPE)
        row['key'] = self._key(pipe, '')
        row['time'] = row['due'] = -np.inf
        row['first'], row['first_number'] = len(self.effects), len(self.numbers)
        row['first_joint'] = len(self.joints)
        for entry in sorted(pipe.entries, key=_order):
            if entry.target.kind == 'field':
                self.numbers.append(self._number_row(entry, pipe))
            else:
                place, key = self._places[entry.name], self._key(pipe, entry.name)
                self.effects.append(effect_row(place, entry, key, self.measured))
        self.joints += [
            self._joint_row(entry, joint, pipe)
            for entry, joint in sorted(pipe.encoders, key=lambda pair: _order(pair[0]))
        ]
        row['count'] = len(self.effects) - row['first']
        row['number_count'] = len(self.numbers) - row['first_number']
        row['joint_count'] = len(self.joints) - row['first_joint']
        return row

    def _number_row(self, entry: NamedEntry, pipe: Pipe) -> Rows:
        row = np.zeros((), MESSAGE_NUMBER)
        try:
            place = number_place(pipe.kind, entry.target.field)
        except ConfigError as error:
            raise ConfigError(f'timeline.{entry.name}.of.field: {error}') from None
        for name in ('place', 'index', 'stride', 'inner', 'single'):
            row[name] = getattr(place, name)
        return self._with_faults(row, entry, pipe)

    def _joint_row(self, entry: NamedEntry, joint: str, pipe: Pipe) -> Rows:
        row = np.zeros((), MESSAGE_JOINT)
        fields: Any = message_layout(pipe.kind).fields
        for field in ('name', 'position', 'velocity'):
            row[f'{field}_place'] = fields[field][1]
        name = joint.encode()
        row['first_letter'], row['letters'] = len(self.letters), len(name)
        self.letters += name
        return self._with_faults(row, entry, pipe)

    def _with_faults(self, row: Rows, entry: NamedEntry, pipe: Pipe) -> Rows:
        """Sets the fields of `NUMBER`, the index of the entry, and the key."""
        faults = entry_number(entry)
        for name in NUMBER.names or ():
            row[name] = faults[name]
        row['entry'], row['key'] = self._places[entry.name], self._key(pipe, entry.name)
        return row

    def _key(self, pipe: Pipe, entry: str) -> int:
        return stream_key(*self._stream, entry, pipe.topic, pipe.published)


def transit_fields(
    timeline: Sequence[NamedEntry], pipes: Sequence[Pipe], *, seed: int, stream: str
) -> dict[str, Any]:
    """Returns the state fields for `decide`, to be passed to `new_state`.

    The index of a pipe must be the number of its filter. `timeline` contains all entries of the
    plugin. The random numbers of an entry depend only on the seed, the stream, the name of the
    entry, and the topic and its direction. Raises ConfigError if the messages of a topic do not
    have the field that an entry names.
    """
    maker = _RowMaker(timeline, (seed, stream))
    rows = [maker.add(pipe) for pipe in pipes]
    return {
        'pipes': padded(np.array(rows, PIPE)),
        'message_effects': padded(np.array(maker.effects, MESSAGE_EFFECT)),
        'message_numbers': padded(np.array(maker.numbers, MESSAGE_NUMBER)),
        'message_joints': padded(np.array(maker.joints, MESSAGE_JOINT)),
        'measured_delays': padded(np.array(maker.measured, np.float64)),
        'joint_letters': padded(np.frombuffer(bytes(maker.letters), np.uint8)),
    }


def renew(state: State, fields: Mapping[str, Any]) -> bool:
    """Copies new `transit_fields` into a state, except for the fields that rows use as memory.

    Returns False, and copies nothing, if an array has another length, or if a row belongs to
    another entry or topic. Call this between two steps.
    """
    for name, array in fields.items():
        if state[name].shape != array.shape:
            return False
        has_keys = array.dtype.names is not None
        if has_keys and not np.array_equal(state[name]['key'], array['key']):
            return False
    for name, array in fields.items():
        if array.dtype.names is None:
            state[name][:] = array
        for field in array.dtype.names or ():
            if field not in _MEMORY:
                state[name][field] = array[field]
    return True


def remember(fields: Mapping[str, Any], before: State) -> None:
    """Copies the memory of a state's rows into the rows of new `transit_fields` with the same key.

    Use this if topics are added or removed while the simulation continues.
    """
    for name, array in fields.items():
        if array.dtype.names is None:
            continue
        old = {int(row['key']): row for row in before[name]}
        for row in array:
            if int(row['key']) in old:
                for field in _MEMORY.intersection(array.dtype.names):
                    row[field] = old[int(row['key'])][field]


def forget(state: State) -> None:
    """Clears the memory of all rows; call this after a reset."""
    state.pipes['time'] = state.pipes['due'] = -np.inf
    state.message_effects['burst_number'] = -1
    for name in ('message_numbers', 'message_joints'):
        state[name]['stuck'] = 0


def set_active(state: State, entry: int, *, active: bool) -> None:
    """Switches the rows of an entry on or off; `entry` is its index in the timeline."""
    for name in ('message_effects', 'message_numbers', 'message_joints'):
        rows = state[name]
        rows['active'][rows['entry'] == entry] = active


def _order(entry: NamedEntry) -> int:
    """Returns a sort key for entries: the position of their first effect in `NUMBER_EFFECTS`."""
    effects = [effect for effect in NUMBER_EFFECTS if effect in entry.effects]
    return NUMBER_EFFECTS.index(effects[0]) if effects else 0
