"""Records the last seconds of a test: its commands and the resulting states."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..config.wording import shown, summary
from ..errors import ConfigError
from ..simulation import SavedState
from .derived_values import Numbers

_MOST_BYTES = 64 * 2**20
"""The maximum size of a section's states."""


class Event(NamedTuple):
    """A command, the number of steps after it, and the resulting state."""

    command: str
    """The name of the method; empty for steps without a command."""
    arguments: Mapping[str, Any]
    steps: int
    values: Numbers


@dataclass(slots=True)
class Section:
    """A part of a run that can be repeated: an initial state, and the events after it."""

    start: SavedState | None
    """The initial state; None for the state after the load."""
    configured: Mapping[str, Mapping[str, Any]]
    """The live values set before the section began, by plugin."""
    events: list[tuple[str, Mapping[str, Any], int, Numbers]] = field(default_factory=list)
    """The fields of each `Event`, as plain tuples, which are faster to create."""
    steps: int = 0


class Recorder:
    """Records a run in sections, and keeps only the newest two.

    Each section covers `span_s` of simulated time. The two sections together always cover the last
    `span_s`, and can be repeated from the saved state at their start.
    """

    def __init__(self, span_s: float, save: Callable[[], SavedState]) -> None:
        """`save()` returns the current state. A span of 0 turns recording off."""
        self.span_s = span_s
        self._save = save
        self._most_steps = self._most_events = 0
        self.sections: deque[Section] = deque(maxlen=2)
        """The kept sections, oldest first."""
        self.failure: dict[str, Any] | None = None
        """The command that failed, with its error; None if no command has failed."""
        self.configured: dict[str, dict[str, Any]] = {}
        """The live values set since the server was loaded, by plugin."""

    def begin(self, start: SavedState | None, timestep_s: float, numbers: int) -> None:
        """Drops the recording and starts a new one at `start`; a state has `numbers` numbers."""
        self._most_steps = max(1, round(self.span_s / timestep_s))
        self._most_events = max(100, _MOST_BYTES // (8 * numbers + 200))
        self.failure = None
        self.sections.clear()
        self._append(start)

    def failed(
        self, command: str, arguments: Mapping[str, object], steps: int, error: BaseException
    ) -> None:
        """Records a command that failed, and so has no resulting state."""
        self.failure = {
            'command': command, 'arguments': arguments, 'steps': steps, 'error': summary(error),
        }  # fmt: skip

    def add(
        self, command: str, arguments: Mapping[str, object], steps: int, values: Numbers
    ) -> None:
        """Records a command, or steps, with the resulting state."""
        if self.span_s <= 0:
            return
        section = self.sections[-1]
        events = section.events
        events.append((command, arguments, steps, values))
        section.steps += steps
        if section.steps >= self._most_steps or len(events) >= self._most_events:
            self._append(self._save())

    def _append(self, start: SavedState | None) -> None:
        configured = {plugin: dict(values) for plugin, values in self.configured.items()}
        self.sections.append(Section(start, configured))


def plain(value: object, name: str = '') -> Any:
    """Converts numbers, strings, arrays, lists and structs to the types of JSON, as a copy.

    A recording reproduces these values to the bit. Raises ConfigError for any other value; `name`
    is the field's name in the error.
    """
    if hasattr(value, 'tolist'):  # an array or a number of NumPy
        value = value.tolist()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(each, name or str(key)) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [plain(each, name) for each in value]
    raise ConfigError(f'{name} must be numbers, strings, lists or structs, got {shown(value)}')
