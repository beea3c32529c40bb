"""The plots of the page: costs of callbacks, lateness of steps, joints and sensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
from mujoco.studio.dear_imgui import dear_imgui as imgui
from mujoco.studio.implot import implot

from .histories import Histories, joint_values, sensor_values

_HEIGHT = 150.0
_OPEN = int(imgui.TreeNodeFlags.DefaultOpen)
_FIT = int(implot.AxisFlags.AutoFit)
_FLAGS = int(implot.Flags.NoTitle) | int(implot.Flags.NoMenus) | int(implot.Flags.NoBoxSelect)
_CHOSEN = {'Joints': joint_values, 'Sensors': sensor_values}


class PagePlots:
    """Draws plots over simulated time into the current ImGui window."""

    def __init__(self, place: Callable[[str], None]) -> None:
        """`place(label)` is called after each title, to store its position for clicks."""
        self._place = place
        self._histories = Histories()
        self._filters = dict.fromkeys(_CHOSEN, '')
        self._model: mujoco.MjModel | None = None
        self.shown: dict[str, dict[str, Any]] = {}
        """The positions of open plots in pixels, and the newest values of their lines.

        Each `draw` replaces this dict, because another thread can still read the old dict.
        """
        self._open: dict[str, dict[str, Any]] = {}

    def add(self, status: dict[str, Any], model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adds points for a new status, and for the joints and sensors of the shown model."""
        time = float(status['time'])
        costs = {
            f'{plugin["name"]}: {callback}': cost
            for plugin in status['plugins']
            for callback, cost in plugin['costs'].items()
        }
        self._histories.add('Cost of callbacks', time, costs)
        if status['lateness_us']:
            self._histories.add('Lateness of steps', time, status['lateness_us'])
        if model is not self._model:
            self._model = model
            for group in _CHOSEN:
                self._histories.clear(group)
        for group, chosen in _CHOSEN.items():
            values = chosen(model, data, self._filters[group])
            self._histories.add(group, float(data.time), values)

    def draw(self, *, live: bool) -> None:
        """Draws the titles and the open plots; costs and lateness only for a `live` simulation."""
        self._open = {}
        if live:
            self._plot('Cost of callbacks', 'us', _OPEN)
            self._plot('Lateness of steps', 'us')
        for group, unit in (('Joints', 'rad, m'), ('Sensors', '')):
            self._plot(group, unit)
        self.shown = self._open

    def _plot(self, group: str, unit: str, flags: int = 0) -> None:
        is_open = imgui.CollapsingHeader(group, flags)
        self._place(group)
        if not is_open:
            return
        if group in self._filters:
            imgui.SetNextItemWidth(-1.0)
            hint = 'all, or a part of their names'
            _, self._filters[group] = imgui.InputTextWithHint(
                f'##{group}', hint, self._filters[group]
            )
        if not implot.BeginPlot(f'##{group} over time', imgui.Vec2(-1.0, _HEIGHT), _FLAGS):
            return
        implot.SetupAxes('s', unit, _FIT, _FIT)
        lines = self._histories.lines(group)
        for name, (times, values) in lines.items():
            implot.PlotLine(name, times, values)
        place, size = implot.GetPlotPos(), implot.GetPlotSize()
        self._open[group] = {
            'place': (place.x, place.y, size.x, size.y),
            'lines': {name: values[-1] for name, (_, values) in lines.items()},
        }
        implot.EndPlot()
