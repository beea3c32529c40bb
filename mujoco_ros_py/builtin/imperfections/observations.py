"""The observations of a timeline: fields of the data that the plugin's state shows late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ...errors import ConfigError
from .delays import MESSAGE_EFFECT
from .effect_rows import (
    EFFECT_MEMORY,
    Rows,
    effect_row,
    length_for,
    longest_draw_s,
    padded,
    stream_key,
)
from .observing import OBSERVATION
from .targets import OBSERVED
from .timeline import NamedEntry

MOST = 4096
"""The maximum number of observations of a field that can be on their way."""
_SPARE = 2
_MEMORY = {*EFFECT_MEMORY, 'number', 'time', 'due', 'head', 'stored', 'take', 'show'}
"""The fields of rows that compiled code writes."""
_ROWS = 'observations', 'observation_effects', 'observation_delays'
OBSERVATION_PLACES = (
    *(f'observations.{name}' for name in ('used', 'first', 'count')),
    *(f'observation_effects.{name}' for name in ('entry', 'first', 'count')),
)
"""The entries of `Savable.places` for these fields."""


class ObservationRows:
    """The rows of all observations of a timeline, and the memory for those on their way."""

    def __init__(
        self, model: mujoco.MjModel, timeline: Sequence[NamedEntry], stream: Sequence[object] = ()
    ) -> None:
        """`stream` contains the parts that the random number keys of all entries share.

        Raises ConfigError for delays that are too long, and if a field has two rates.
        """
        own = {
            name: [(k, each) for k, each in enumerate(timeline) if _observes(each, name)]
            for name in OBSERVED
        }
        rows = np.zeros(len(OBSERVED), OBSERVATION)
        effects: list[Rows] = []
        measured: list[float] = []
        needed = 0.0
        for row, (name, entries) in zip(rows, own.items(), strict=True):
            row['used'], row['first'], row['count'] = bool(entries), len(effects), len(entries)
            row['rate'] = _rate([entry for _, entry in entries], name)
            needed = max(needed, _room([entry for _, entry in entries], row['rate'], model))
            for place, entry in entries:
                key = stream_key(*stream, entry.name, 'observation')
                effects.append(effect_row(place, entry, key, measured))
        size, used = length_for(needed), {name: bool(entries) for name, entries in own.items()}
        shapes = _shapes(model)
        self.fields: dict[str, Any] = {
            'observing': int(any(used.values())),
            'observations_begun': 0,
            'observations': rows,
            'observation_effects': padded(np.array(effects, MESSAGE_EFFECT)),
            'observation_delays': padded(np.array(measured)),
            'observation_dues': np.full((len(OBSERVED), size), np.inf),
            'observation_stamps': np.zeros((len(OBSERVED), size)),
        }
        for name in OBSERVED:
            shape = shapes[name] if used[name] else (0, *shapes[name][1:])
            self.fields |= {
                name: np.zeros(shape),
                f'{name}_held': np.zeros((size, *shape)),
                f'{name}_time': 0.0,
            }

    def remember(self, state: Any) -> None:
        """Copies the memory from a state of the same timeline, unless the sizes differ."""
        if all(np.shape(state[name]) == np.shape(value) for name, value in self.fields.items()):
            self.fields = {name: np.array(state[name]) for name in self.fields}

    def check(self, state: Any) -> None:
        """Raises ConfigError if delays or lists of measured delays are too long for a state."""
        for name in (*_ROWS, 'observation_dues'):
            if self.fields[name].shape[-1] > state[name].shape[-1]:
                raise ConfigError(
                    'timeline: a latency is too long for the memory of the observations: reload'
                    ' to use it'
                )

    def renew(self, state: Any) -> None:
        """Writes the parameters into a state, but keeps the memory of its rows.

        Raises ConfigError like `check`.
        """
        self.check(state)
        for name in _ROWS:
            array = self.fields[name]
            for field in array.dtype.names or ():
                if field not in _MEMORY:
                    state[name][field] = array[field]
            if array.dtype.names is None:
                state[name][: len(array)] = array


def forget_observations(state: Any) -> None:
    """Drops the observations on their way; the next evaluation of the forces shows the data."""
    state.observations_begun = 0
    state.observation_effects['burst_number'] = -1


def _observes(entry: NamedEntry, name: str) -> bool:
    return entry.target.kind == 'observations' and name in entry.target.names


def _shapes(model: mujoco.MjModel) -> Mapping[str, tuple[int, ...]]:
    return {
        'qpos': (model.nq,),
        'qvel': (model.nv,),
        'act': (model.na,),
        'sensordata': (model.nsensordata,),
        'xpos': (model.nbody, 3),
        'xquat': (model.nbody, 4),
    }


def _rate(entries: Sequence[NamedEntry], name: str) -> float:
    """Returns the rate of a field in Hz; 0 for an observation after each step."""
    for entry in entries[1:]:
        if entry.target.rate != entries[0].target.rate:
            raise ConfigError(
                f'timeline: {entries[0].name!r} and {entry.name!r} must have the same rate of'
                f' {name}, got {_told(entries[0].target.rate)} and {_told(entry.target.rate)}'
            )
    return (entries[0].target.rate or 0.0) if entries else 0.0


def _told(rate: float | None) -> str:
    return 'none' if rate is None else f'{rate:g} Hz'


def _room(entries: Sequence[NamedEntry], rate: float, model: mujoco.MjModel) -> float:
    """Returns how many observations of a field can be on their way.

    Raises ConfigError if they are too many.
    """
    period_s = max(1.0 / rate if rate else 0.0, float(model.opt.timestep))
    needed = sum(map(longest_s, entries)) / period_s + _SPARE
    if needed > MOST:
        longest = max(entries, key=longest_s)
        raise ConfigError(
            f'timeline.{longest.name}: observations must arrive within'
            f' {(MOST - _SPARE) * period_s:g} s, got up to {sum(map(longest_s, entries)):g} s'
        )
    return needed


def longest_s(entry: NamedEntry) -> float:
    """Returns the longest delay that an entry can draw, in s."""
    return longest_draw_s(entry.latency) + (entry.jitter or 0.0)
