"""The measurements of one topic or one recording, before they are cut into sequences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import mujoco
import numpy as np

from ..sequences import Array, Commands, Goal, Signal
from .options import MeasurementOptions, TopicOptions


@dataclass(kw_only=True, slots=True)
class Measured:
    """Signals, commands and goals in the order of time."""

    signals: list[Signal] = field(default_factory=list)
    commands: list[Commands] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Messages for the user about skipped data."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Topic:
    """A topic to read, with its options."""

    file: str
    name: str
    kind: str
    """The message type, for example `sensor_msgs/JointState`."""
    own: TopicOptions
    common: MeasurementOptions
    model: mujoco.MjModel

    @property
    def where(self) -> str:
        """The place for errors."""
        return f'{self.file}: {self.name}'

    @property
    def option(self) -> str:
        """The place of the topic's options for errors."""
        return f'topics.{self.name}'

    @property
    def prefix(self) -> str:
        """The prefix of names in the messages."""
        return self.own.prefix or self.common.prefix

    @property
    def units(self) -> tuple[str, str]:
        """The units of positions and of velocities; empty if they are not given."""
        positions = self.own.units or self.common.units
        return positions, self.own.velocity_units or positions


def ordered(times: Array, values: Array) -> tuple[Array, Array]:
    """Returns the finite values in the order of their times; the first of equal times counts."""
    finite = np.isfinite(values) if values.ndim == 1 else np.isfinite(values).all(axis=1)
    kept, first = np.unique(times[finite], return_index=True)
    return kept, values[finite][first]


def signal_of(source: object, times: Array, values: Array, topic: Topic) -> Iterable[Signal]:
    """Yields a signal, unless it has fewer than two values."""
    kept, numbers = ordered(times, values)
    if len(kept) > 1:
        yield Signal(source=source, times=kept, values=numbers, topic=topic.name)  # type: ignore[arg-type]
