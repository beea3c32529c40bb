"""The table of the callbacks of all plugins, and the plugin that each row belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ...engine import Callback, CallbackTable, Point
from ..mixins import Hardware
from .hosted_plugin import HostedPlugin

Rows = list[tuple[HostedPlugin, Point]]
"""The plugin and the callback point of each row."""


class CallbackRows:
    """Sorts callbacks by callback point and load order, and maps each table row to its plugin.

    Callbacks at WRITE are in reverse load order. At READ and WRITE, plugins that are `nearest` to
    the robot count as loaded first.
    """

    def __init__(self) -> None:
        self._rows: Rows = []

    def table(
        self, plugins: Sequence[HostedPlugin], callbacks: Sequence[tuple[Callback, HostedPlugin]]
    ) -> CallbackTable:
        """Builds the table of these callbacks, and passes each plugin its row numbers."""
        # The plugin that is loaded first reads first and writes last, so that each plugin restores
        # what it found.
        near = sorted(callbacks, key=lambda pair: not _is_nearest(pair[1]))
        ordered = [
            *(pair for pair in near if pair[0].point is Point.READ),
            *(pair for pair in callbacks if pair[0].point is Point.CONTROL),
            *(pair for pair in reversed(near) if pair[0].point is Point.WRITE),
            *sorted(
                (pair for pair in callbacks if pair[0].point > Point.WRITE),
                key=lambda pair: pair[0].point,
            ),
        ]
        self._rows = rows = [(hosted, callback.point) for callback, hosted in ordered]
        named = [replace(each, name=_name(hosted, each.point)) for each, hosted in ordered]
        table = CallbackTable(named, partial(_fail, rows))
        own: dict[str, dict[Point, int]] = {hosted.name: {} for hosted in plugins}
        for row, (hosted, point) in enumerate(rows):
            own[hosted.name][point] = row
        for hosted in plugins:
            hosted.use_rows(table, own[hosted.name])
        return table

    def describe(self, row: int) -> str:
        """Returns the name of the callback in a row. Any thread may call this."""
        try:
            return _name(*self._rows[row])
        except IndexError:  # another thread calls this while the plugins change
            return f'callback {row}'


def _is_nearest(hosted: HostedPlugin) -> bool:
    return isinstance(hosted.plugin, Hardware) and hosted.plugin.nearest


def _name(hosted: HostedPlugin, point: Point) -> str:
    return f'{point.method} of plugin {hosted.name!r}'


def _fail(rows: Rows, row: int, error: BaseException) -> None:
    """Disables the plugin whose compiled callback raised."""
    hosted, point = rows[row]
    hosted.fail(point.method, error)
