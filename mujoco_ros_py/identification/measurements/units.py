"""Converts degrees, finds values of hinges in degrees, and counts the turns of positions."""

from __future__ import annotations

import math

import numpy as np

from ...errors import RecordingError
from ..sequences import Array
from .measured import Topic

Series = tuple[Array, Array]
"""Times and values."""
_DEGREES = 180.0 / math.pi
_FAR = 3.0
"""Positions beyond this multiple of the joint's range are suspicious."""
_SLACK = 1.2
"""The share of the range that positions in degrees may exceed."""
_TURN, _ROUNDING = 2.0 * math.pi, 1.0 + 1e-3
_WRAPS, _COUNTED = 0.5 * _TURN, 0.25 * _TURN
"""The least change of an angle that wraps, and the largest change between messages with which
turns are counted."""
_WIDTH_S, _WIDTH_VALUES = 0.1, 5
"""The shortest windows of time for comparisons of positions and velocities."""
_LEAST_WINDOWS, _LEAST_CORRELATION, _BAND = 5, 0.9, 1.5
"""The number of windows, their correlation, and the factor around the ratio of the units."""


def factor_of(units: str) -> float:
    """Returns the factor that converts positions in these units to rad."""
    return 1.0 / _DEGREES if units == 'degrees' else 1.0


def check_units(topic: Topic, joint: int, positions: Series, velocities: Series) -> None:
    """Raises RecordingError if the values of a hinge are in degrees rather than rad."""
    name = topic.model.joint(joint).name
    where = f'{topic.where}: joint {name}'
    ratio = _ratio(positions, velocities)
    for wrong, factor in (('positions', _DEGREES), ('velocities', 1.0 / _DEGREES)):
        if factor / _BAND < ratio < factor * _BAND:
            units = ('degrees', 'radians') if wrong == 'positions' else ('radians', 'degrees')
            raise RecordingError(
                f'{where}: the positions change {ratio:.3g} times as much as the velocities say:'
                f' the {wrong} are in degrees; set {topic.option}.units: {units[0]} and'
                f' {topic.option}.velocity_units: {units[1]}'
            )
    times, values = positions
    if topic.units[0] or not len(values) or not topic.model.jnt_limited[joint]:
        return
    low, high = topic.model.jnt_range[joint]
    largest = int(np.argmax(np.abs(values)))
    if seem_degrees(values[largest], low, high):
        raise RecordingError(
            f'{where}: its position is {values[largest]:.4g} at {times[largest]:.6g} s, far beyond'
            f' its range of {low:.4g} to {high:.4g} rad: the positions are in degrees; set'
            f' {topic.option}.units: degrees, or radians if the range of the model is wrong'
        )


def unwrapped(topic: Topic, joint: int, positions: Series) -> Series:
    """Returns the positions of a hinge without limits, with whole turns added where they wrap.

    Drivers of continuous joints publish angles of one turn. Raises RecordingError if the joint
    turns too far between two messages to count its turns.
    """
    times, values = positions
    if len(values) < 2 or topic.model.jnt_limited[joint] or np.ptp(values) > _TURN * _ROUNDING:
        return positions
    if np.max(np.abs(np.diff(values))) < _WRAPS:
        return positions
    counted = np.unwrap(values)
    steps = np.abs(np.diff(counted))
    fastest = int(np.argmax(steps))
    if steps[fastest] > _COUNTED:
        raise RecordingError(
            f'{topic.where}: joint {topic.model.joint(joint).name}: its position wraps, and its'
            f' turns cannot be counted: it changes by {steps[fastest]:.3g} rad between two'
            f' messages at {times[fastest + 1]:.6g} s, more than a quarter of a turn'
        )
    return times, counted


def seem_degrees(value: float, low: float, high: float) -> bool:
    """Whether a value is far beyond a range in rad, and within it if it is in degrees."""
    reach, bound = abs(value), max(abs(low), abs(high))
    return bool(reach > _FAR * bound and reach / _DEGREES <= _SLACK * bound)


def _ratio(positions: Series, velocities: Series) -> float:
    """Returns the change of the positions over the integral of the velocities; 0 if unknown."""
    if min(len(positions[0]), len(velocities[0])) < _WIDTH_VALUES:
        return 0.0
    period = float(np.median(np.diff(velocities[0])))
    begin = max(positions[0][0], velocities[0][0])
    end = min(positions[0][-1], velocities[0][-1])
    edges = np.arange(begin, end, max(_WIDTH_S, _WIDTH_VALUES * period))
    if len(edges) <= _LEAST_WINDOWS:
        return 0.0
    times, values = velocities
    areas = 0.5 * np.diff(times) * (values[1:] + values[:-1])
    integral = np.diff(np.interp(edges, times, np.concatenate([[0.0], np.cumsum(areas)])))
    change = np.diff(np.interp(edges, *positions))
    scale = math.sqrt(float(integral @ integral) * float(change @ change))
    if scale == 0.0 or float(integral @ change) < _LEAST_CORRELATION * scale:
        return 0.0
    return float(integral @ change) / float(integral @ integral)
