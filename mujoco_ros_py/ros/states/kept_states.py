"""The states that a server keeps by name."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...config.wording import unknown
from ...errors import SimulationError
from ...simulation import SavedState

MOST_STATES = 100
"""The most states that a server keeps."""
MOST_BYTES = 256 * 2**20
"""The most bytes that all kept states may occupy together."""
_MIB = 2**20
_ARRAY = 128
"""The approximate size of an array in bytes, without its numbers."""


class KeptStates:
    """Keeps states within limits on their number and size; any thread may call it."""

    def __init__(self, most_states: int = MOST_STATES, most_bytes: int = MOST_BYTES) -> None:
        self._most_states, self._most_bytes = most_states, most_bytes
        self._states: dict[str, tuple[SavedState, int]] = {}
        self._lock = threading.Lock()

    def check(self, name: str, *, replace: bool) -> None:
        """Raises SimulationError if no state can be kept under this name."""
        with self._lock:
            self._check(name, replace)

    def keep(self, name: str, saved: SavedState, *, replace: bool) -> None:
        """Keeps a state; `replace` permits replacing the state of the same name.

        Raises SimulationError, and changes nothing, if the name is empty or taken, or if the
        states would be too many or too large.
        """
        size = size_of(saved)
        with self._lock:
            self._check(name, replace)
            others = sum(other for each, (_, other) in self._states.items() if each != name)
            if others + size > self._most_bytes:
                raise SimulationError(
                    f'kept states can take up at most {self._most_bytes / _MIB:g} MiB together,'
                    f' and would take up {(others + size) / _MIB:.1f} MiB; delete one of'
                    f' {self._known()}'
                )
            self._states.pop(name, None)
            self._states[name] = saved, size

    def find(self, name: str) -> SavedState:
        """Returns the state with a name. Raises SimulationError, which lists the known names."""
        with self._lock:
            self._require(name)
            return self._states[name][0]

    def delete(self, name: str) -> None:
        """Deletes the state with a name. Raises SimulationError, which lists the known names."""
        with self._lock:
            self._require(name)
            del self._states[name]

    def all(self) -> dict[str, tuple[SavedState, int]]:
        """Returns each state with its size in bytes by name, in the order of saving."""
        with self._lock:
            return dict(self._states)

    def _check(self, name: str, replace: bool) -> None:
        if not name:
            raise SimulationError('a state must have a name, got an empty one')
        if name in self._states and not replace:
            raise SimulationError(f'the state {name!r} exists; set replace to overwrite it')
        if name not in self._states and len(self._states) >= self._most_states:
            raise SimulationError(
                f'at most {self._most_states} states are kept; delete one of {self._known()}'
            )

    def _require(self, name: str) -> None:
        if name not in self._states:
            raise SimulationError(unknown('state', name, self._states))

    def _known(self) -> str:
        return ', '.join(self._states) or 'none'


def size_of(saved: SavedState) -> int:
    """Returns the approximate memory size of a state in bytes."""
    return saved.integration.nbytes + _size(saved.plugins, set())


def _size(value: Any, seen: set[int]) -> int:
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray | np.generic):
        return _ARRAY + value.nbytes
    if isinstance(value, Mapping):
        parts = [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = list(value)
    else:
        parts = list(vars(value).values()) if hasattr(value, '__dict__') else []
    return sys.getsizeof(value) + sum(_size(each, seen) for each in parts)
