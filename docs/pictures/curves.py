"""Records curves over simulated time from sessions, and creates axes for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mujoco_ros_py.session import Session

from .board import DPI

PERIOD_S = 0.005
"""The simulated time between two points of a curve."""
DASHED = {'linestyle': '--', 'linewidth': 0.9, 'color': 'black'}
"""The line style of commands and other references."""
OnPhysicsThread = Callable[[Any, Any], Any]
"""A function called on the physics thread with the model and the data."""


def record(
    session: Session, end_s: float, measure: OnPhysicsThread,
    events: Sequence[tuple[float, OnPhysicsThread]] = (),
) -> Any:  # fmt: skip
    """Returns one row of times up to `end_s`, and a row for each value that `measure` returns.

    Calls each event at its time; events must be sorted by time.
    """
    steps = round(PERIOD_S / session.call(lambda model, data: model.opt.timestep))
    rows, coming = [], list(events)
    while session.time < end_s:
        while coming and session.time >= coming[0][0] - PERIOD_S / 2:
            session.call(coming.pop(0)[1])
        rows.append([session.time, *np.atleast_1d(session.call(measure))])
        session.step(steps)
    return np.transpose(rows)


def time_axes(ylabel: str) -> Axes:
    """Returns the axes of a new figure, with room for a legend above the axes."""
    figure = Figure((7.5, 3.2), dpi=DPI, layout='constrained')
    axes = figure.add_subplot(xlabel='simulated time in s', ylabel=ylabel)
    axes.grid(alpha=0.3)
    return axes


def figure_of(axes: Axes) -> Figure:
    """Returns the figure of the axes."""
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    return figure


def with_legend(axes: Axes, columns: int = 2) -> Figure:
    """Adds a legend above the axes; returns the figure."""
    figure = figure_of(axes)
    figure.legend(loc='outside upper center', ncols=columns)
    return figure
