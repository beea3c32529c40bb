"""Remembers what was asked of a server and the states that followed, for the last seconds."""

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
"""The most memory that the states of a section take."""


class Event(NamedTuple):
    """A command, the steps that were made after it, and the state that they led to."""

    command: str
    """The name of the method; empty for steps alone."""
    arguments: Mapping[str, Any]
    steps: int
    values: Numbers


@dataclass(slots=True)
class Section:
    """A part of a run that can be repeated: a state to begin with, and what followed."""

    start: SavedState | None
    """The state that it begins with; None: the server as it has been loaded."""
    configured: Mapping[str, Mapping[str, Any]]
    """The live values that had been set when it began, by plugin."""
    events: list[tuple[str, Mapping[str, Any], int, Numbers]] = field(default_factory=list)
    """What an `Event` is made of, each; to make one takes longer than to keep this."""
    steps: int = 0


class Recorder:
    """Keeps the run as sections, of which the older ones are forgotten.

    A section ends when it has lasted for the span of simulated time. The newest two are kept, so
    that the last `span_s` are always there and can be repeated from a saved state.
    """

    def __init__(self, span_s: float, save: Callable[[], SavedState]) -> None:
        """`save()` saves the present state; with a span of 0, nothing is recorded."""
        self.span_s = span_s
        self._save = save
        self._most_steps = self._most_events = 0
        self.sections: deque[Section] = deque(maxlen=2)
        """The sections that are kept, oldest first."""
        self.failure: dict[str, Any] | None = None
        """The command that failed, with its error; None: none has failed."""
        self.configured: dict[str, dict[str, Any]] = {}
        """The live values that have been set, by plugin, since the server was loaded."""

    def begin(self, start: SavedState | None, timestep_s: float, numbers: int) -> None:
        """Forgets everything, and records from this state on; a state has so many numbers."""
        self._most_steps = max(1, round(self.span_s / timestep_s))
        self._most_events = max(100, _MOST_BYTES // (8 * numbers + 200))
        self.failure = None
        self.sections.clear()
        self._append(start)

    def failed(
        self, command: str, arguments: Mapping[str, object], steps: int, error: BaseException
    ) -> None:
        """Records a command that failed, after which there is no state."""
        self.failure = {
            'command': command, 'arguments': arguments, 'steps': steps, 'error': summary(error),
        }  # fmt: skip

    def add(
        self, command: str, arguments: Mapping[str, object], steps: int, values: Numbers
    ) -> None:
        """Records a command, or steps, with the state after it."""
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
    """Returns a copy of numbers, texts, arrays, lists and structs in the types that JSON reads.

    A recording of such values repeats them to the bit. Raises ConfigError for any other value;
    `name` is that of the field.
    """
    if hasattr(value, 'tolist'):  # an array or a number of NumPy
        value = value.tolist()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(each, name or str(key)) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [plain(each, name) for each in value]
    raise ConfigError(f'{name} must be numbers, texts, lists or structs, got {shown(value)}')
