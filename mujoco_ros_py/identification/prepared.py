"""Sequences with all that their simulation needs: addresses, starts and samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ..config.wording import unknown
from ..errors import ConfigError
from .adjustable_model import sensor_name
from .rollouts import MeasuredJoints, MeasuredPart, Simulated
from .sequences import Array, Signal, Source
from .sequences import Sequence as MeasuredSequence

_WINDOW_S, _FEWEST = 0.1, 4
"""The part of a sequence from which its initial state is estimated: time, and samples."""
_ROUNDING = 1e-6
"""The share of a step by which times may be rounded."""
_SCALARS = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)


class SignalReader:
    """Reads signals from simulations, at the times of the measurements."""

    def __init__(self, model: mujoco.MjModel, sources: Sequence[Source]) -> None:
        """Raises ConfigError for a joint that is no hinge or slide."""
        self._columns = {source: _column(model, source) for source in sources}

    def read(
        self, signal: Signal, simulation: Simulated, delay: float = 0.0, offset: float = 0.0
    ) -> Array:
        """Returns the values of a signal in a simulation.

        The result is interpolated between steps. A delayed signal shows the state of `delay` s
        before; an offset is added.
        """
        kind, column = self._columns[signal.source]
        rows = getattr(simulation, kind)
        times = simulation.times[: len(rows)]
        values: Array = np.interp(signal.times - delay, times, rows[:, column]) + offset
        return values


def _column(model: mujoco.MjModel, source: Source) -> tuple[str, int]:
    if source.quantity in ('position', 'velocity'):
        joint = _joint(model, source.name)
        if source.quantity == 'position':
            return 'positions', int(model.jnt_qposadr[joint])
        return 'velocities', int(model.jnt_dofadr[joint])
    sensor = model.sensor(sensor_name(source.quantity, source.name))
    return 'sensors', int(sensor.adr[0]) + source.component


def _joint(model: mujoco.MjModel, name: str) -> int:
    joint = int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name))
    if joint < 0:
        names = [model.joint(each).name for each in range(model.njnt)]
        raise ConfigError(unknown('joint', name, names))
    if model.jnt_type[joint] not in _SCALARS:
        raise ConfigError(f'joint {name!r} must be a hinge or a slide')
    return joint


def measured_joints(
    model: mujoco.MjModel, sequences: Sequence[MeasuredSequence]
) -> MeasuredJoints:
    """Returns the joints whose positions all sequences have."""
    sets = [
        {signal.source.name for signal in each.signals if signal.source.quantity == 'position'}
        for each in sequences
    ]
    names = sorted(set.intersection(*sets)) if sets else []
    numbers = [_joint(model, name) for name in names]
    return MeasuredJoints(
        names=tuple(names),
        qpos=np.array([model.jnt_qposadr[each] for each in numbers], np.intp),
        dofs=np.array([model.jnt_dofadr[each] for each in numbers], np.intp),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """A sequence, its simulation's input, and the measured state at its begin."""

    sequence: MeasuredSequence
    part: MeasuredPart
    positions: Array
    velocities: Array
    """The states of the measured joints at the begin, in their order."""
    sizes: Mapping[str, int]
    """The number of samples of each topic."""

    @property
    def samples(self) -> int:
        """The number of measured numbers."""
        return sum(len(each.times) for each in self.sequence.signals)


def prepared(sequence: MeasuredSequence, joints: MeasuredJoints, step: float) -> Prepared:
    """Prepares a sequence for a simulation with a time step in s.

    The simulation begins at the last multiple of the step before the sequence, because commands of
    another simulation with this step change at these times. The state at its begin is the mean of
    the first samples if the robot rests there, or else a polynomial of second order through them.
    """
    signals: dict[Any, Signal] = {each.source: each for each in sequence.signals}
    begin = step * np.floor(sequence.begin / step + _ROUNDING)
    found = [
        _start(signals[Source(quantity='position', name=name)], sequence.rests, begin)
        for name in joints.names
    ]
    positions, velocities = np.array(found).reshape(-1, 2).T
    for place, name in enumerate(joints.names):
        velocity = signals.get(Source(quantity='velocity', name=name))
        if velocity is not None and not sequence.rests:
            velocities[place] = _fitted(velocity, begin)[0]
    sizes: dict[str, int] = {}
    for each in sequence.signals:
        sizes[each.topic] = sizes.get(each.topic, 0) + len(each.times)
    last = max(float(each.times[-1]) for each in sequence.signals)
    part = MeasuredPart(
        begin=begin,
        end=max(sequence.end, last),
        commands=sequence.commands,
        goals=sequence.goals,
    )
    return Prepared(
        sequence=sequence, part=part, positions=positions, velocities=velocities, sizes=sizes
    )


def _start(signal: Signal, rests: bool, begin: float) -> tuple[float, float]:
    """Returns position and velocity at the begin of a sequence."""
    if rests:
        return float(np.mean(signal.values[: _count(signal, begin)])), 0.0
    return _fitted(signal, begin)


def _fitted(signal: Signal, begin: float) -> tuple[float, float]:
    """Returns value and slope at a time from a polynomial through the first samples."""
    count = _count(signal, begin)
    degree = min(2, count - 1)
    times = signal.times[:count] - begin
    coefficients = np.polynomial.polynomial.polyfit(times, signal.values[:count], degree)
    return float(coefficients[0]), float(coefficients[1]) if degree else 0.0


def _count(signal: Signal, begin: float) -> int:
    within = int(np.searchsorted(signal.times, begin + _WINDOW_S))
    return min(max(within, _FEWEST), len(signal.times))
