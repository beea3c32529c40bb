"""Numbers over simulated time, for the plots of the page."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

_MOST_POINTS = 150
_Line = deque[tuple[float, float]]


class Histories:
    """Keeps the newest numbers of named lines, in groups; one thread uses it."""

    def __init__(self) -> None:
        self._groups: dict[str, dict[str, _Line]] = {}
        self._times: dict[str, float] = {}

    def add(self, group: str, time: float, values: Mapping[str, float]) -> None:
        """Adds the values of the lines of a group at a time in s.

        A line without a value ends. A time that was told already adds nothing, and an earlier one
        begins the group anew.
        """
        lines, last = self._groups.setdefault(group, {}), self._times.get(group)
        if last is not None and time < last:
            lines.clear()
        for gone in lines.keys() - values.keys():
            del lines[gone]
        if time == last and lines.keys() == values.keys():
            return
        self._times[group] = time
        for name, value in values.items():
            lines.setdefault(name, deque(maxlen=_MOST_POINTS)).append((time, value))

    def lines(self, group: str) -> dict[str, tuple[list[float], list[float]]]:
        """Returns times in s and values of each line of a group, by name, the newest last."""
        return {
            name: ([time for time, _ in line], [value for _, value in line])
            for name, line in self._groups.get(group, {}).items()
        }

    def clear(self, group: str) -> None:
        """Forgets the lines of a group."""
        self._groups.pop(group, None)
        self._times.pop(group, None)
