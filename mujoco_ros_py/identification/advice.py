"""Finds motions that would determine parameters which the data leave open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from .closed_loop import TRAJECTORY
from .prepared import Prepared
from .problem import Problem
from .sequences import Array, Commands, Goal, Signal
from .uncertainty import WITHIN_95

_SPEEDS = (('slowly', 0.3), ('fast', 2.0))
"""The frequencies in Hz of the tried motions, and their names."""
_DURATION_S, _PERIOD_S = 5.0, 0.01
_STEP = 1e-3
"""The step along a direction, in coordinates."""
_DETERMINED = 1.0
_FEW = 1e-9


def advice_for(problem: Problem, x: Array, direction: Array) -> str:
    """Returns which motion of a single actuator or joint would determine a direction best.

    Each motion is simulated for 5 s with the fitted model and with one moved along the direction.
    """
    best = (np.inf, '')
    for name, candidate in _candidates(problem.sequences[0]):
        measured = _measured(problem, candidate, x)
        error = _error(problem.over([measured]), x, direction)
        best = min(best, (error, name))
    error, name = best
    if error <= _DETERMINED:
        return (
            f'move {name}: {_DURATION_S:g} s of this motion alone determine the combination to'
            f' {100.0 * error:.2g} %'
        )
    return (
        'no motion of a single joint determines it: give one of the values a prior, or record more'
        ' signals (velocities, efforts, an IMU)'
    )


def _measured(problem: Problem, candidate: Prepared, x: Array) -> Prepared:
    """Returns the motion with the signals of the fitted model.

    With other signals, the fit of the initial state would hide the effect of the parameters.
    """
    simulated = problem.over([candidate])
    simulated.starts = False
    (values,) = simulated.predictions(x)
    signals = tuple(
        replace(signal, values=predicted)
        for signal, predicted in zip(candidate.sequence.signals, values, strict=True)
    )
    return replace(candidate, sequence=replace(candidate.sequence, signals=signals))


def _error(problem: Problem, x: Array, direction: Array) -> float:
    """Returns half of the 95 % interval of the coordinate along a direction."""
    low, high = problem.bounds()
    ends = [
        moved if np.all((low <= moved) & (moved <= high)) else x
        for moved in (x + _STEP * direction, x - _STEP * direction)
    ]
    length = float(np.linalg.norm(ends[0] - ends[1])) or _STEP
    first, second = (problem.residual(end)[: problem.samples] for end in ends)
    apart = (first - second) / length
    return float(WITHIN_95 / max(float(np.linalg.norm(apart)), _FEW))


def _candidates(example: Prepared) -> Iterator[tuple[str, Prepared]]:
    """Yields motions of one actuator or joint from the start of a sequence."""
    times = np.arange(0.0, _DURATION_S, _PERIOD_S)
    signals = tuple(
        Signal(source=each.source, times=times, values=np.zeros(len(times)), topic=each.topic)
        for each in example.sequence.signals
    )
    for what, hertz in _SPEEDS:
        for name, commands, goals in _moving(example, times, hertz):
            sequence = replace(
                example.sequence, begin=0.0, end=_DURATION_S, signals=signals, rests=True,
                commands=commands, goals=goals,
            )  # fmt: skip
            part = replace(
                example.part, begin=0.0, end=_DURATION_S, commands=commands, goals=goals
            )
            still = np.zeros(len(example.positions))
            yield (
                f'{name} {what} ({hertz:g} Hz)',
                replace(example, sequence=sequence, part=part, velocities=still),
            )


def _moving(
    example: Prepared, times: Array, hertz: float
) -> Iterator[tuple[str, tuple[Commands, ...], tuple[Goal, ...]]]:
    """Yields for each actuator, and for each joint of a trajectory, commands or goals."""
    wave = np.sin(2.0 * np.pi * hertz * times)
    for place, each in enumerate(example.part.commands):
        for column, name in enumerate(each.actuators):
            amplitude = 0.5 * float(np.ptp(each.values[:, column]))
            rows = np.tile(each.values[0], (len(times), 1))
            rows[:, column] += amplitude * wave
            commands = list(example.part.commands)
            commands[place] = replace(each, times=times, values=rows)
            rest = tuple(
                replace(other, times=times[:1], values=other.values[:1])
                if other is not commands[place]
                else other
                for other in commands
            )
            yield name, rest, ()
    for goal in example.part.goals:
        if goal.kind == TRAJECTORY and goal.message['points']:
            yield from _moved_joints(goal, wave, times)
            return


def _moved_joints(
    goal: Goal, wave: Array, times: Array
) -> Iterator[tuple[str, tuple[Commands, ...], tuple[Goal, ...]]]:
    points = np.array([each['positions'] for each in goal.message['points']])
    for column, name in enumerate(goal.message['joint_names']):
        amplitude = max(0.5 * float(np.ptp(points[:, column])), 0.1)
        rows = np.tile(points[0], (len(times), 1))
        rows[:, column] += amplitude * wave
        message = {
            **goal.message,
            'points': [
                {
                    'positions': row.tolist(),
                    'velocities': [],
                    'accelerations': [],
                    'effort': [],
                    'time_from_start': {
                        'sec': int(time + 0.1), 'nanosec': round(1e9 * ((time + 0.1) % 1.0)),
                    },
                }
                for row, time in zip(rows, times, strict=True)
            ],
        }  # fmt: skip
        yield name, (), (replace(goal, time=0.0, message=message),)
