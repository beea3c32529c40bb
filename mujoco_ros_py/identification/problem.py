"""The least-squares problem of an identification."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .adjustable_model import AdjustableModel
from .parameter import Parameter
from .pieces import pieces
from .prepared import Prepared, SignalReader
from .priors import Weighing, prior_jacobian, prior_residual
from .rollouts import Job, MeasuredJoints, Simulated, Simulator, Variant
from .sequences import Array, Source

_POSITION, _VELOCITY = 0.01, 0.1
"""The initial position (rad or m) and velocity (rad/s or m/s) of a coordinate of 1."""
STEP, _START_STEP = 1e-4, 1e-2
"""The steps of finite differences, in coordinates of parameters and of initial states."""
_ROUNDS, _GAIN = 6, 1e-6
"""The most corrections of initial states, and the relative gain below which they end."""
_READ_OFF = 'signal_delay', 'offset'
"""The effects that change no simulation, only how signals are read."""
_ROUNDING = float(np.finfo(np.float64).eps)


@dataclass(kw_only=True, slots=True)
class _Point:
    """The simulations and residuals of one set of coordinates."""

    key: bytes
    values: list[float]
    model: Any
    simulations: list[Simulated]
    residuals: list[Array]


class Problem:
    """The residuals of sequences as functions of the parameters.

    The unknowns are the coordinates of the parameters. The initial state of each sequence is
    eliminated (variable projection: G. Golub and V. Pereyra, "The differentiation of
    pseudo-inverses and nonlinear least squares problems whose variables separate", 1973): for each
    set of parameters, it is the one that fits best. So the size of the problem does not grow with
    the number of sequences.
    """

    def __init__(
        self,
        model: AdjustableModel,
        parameters: Sequence[Parameter],
        sequences: Sequence[Prepared],
        joints: MeasuredJoints,
        simulator: Simulator,
        reader: SignalReader,
        *,
        starts: bool,
    ) -> None:
        """`starts` says whether the initial states are fitted; if not, they are the measured."""
        self._model, self.parameters, self.sequences = model, list(parameters), list(sequences)
        self._joints, self._simulator, self._reader = joints, simulator, reader
        self.starts = starts
        """Whether the initial states are fitted."""
        count = len(joints.names)
        sizes = [(count if each.sequence.rests else 2 * count) * starts for each in sequences]
        self._starts = [np.zeros(size) for size in sizes]
        self._slopes: list[tuple[Array, Array]] | None = None
        self.weighing = Weighing(signals={}, rest=0.0)
        self._point: _Point | None = None

    def over(self, sequences: Sequence[Prepared]) -> Problem:
        """Returns the problem with other sequences, and the same weights."""
        made = Problem(
            self._model, self.parameters, sequences, self._joints, self._simulator, self._reader,
            starts=self.starts,
        )  # fmt: skip
        made.weighing = self.weighing
        return made

    def pieces(self, length: float, most: int) -> Problem:
        """Returns the problem with at most so many pieces of the sequences of a length in s."""
        step = float(self._model.model.opt.timestep)
        return self.over(pieces(self.sequences, self._joints, step, length, most))

    def coordinates(self, values: Sequence[float]) -> Array:
        """Returns the coordinates of values of the parameters."""
        pairs = zip(self.parameters, values, strict=True)
        return np.array([each.coordinate(value) for each, value in pairs])

    def values(self, x: Array) -> list[float]:
        """Returns the values of the parameters."""
        return [each.value(float(c)) for each, c in zip(self.parameters, x, strict=True)]

    def bounds(self) -> tuple[Array, Array]:
        """Returns the bounds of the coordinates."""
        low, high = np.array([each.limits for each in self.parameters]).T
        return low, high

    @property
    def samples(self) -> int:
        """The number of rows of the residual that are measurements."""
        return sum(each.samples for each in self.sequences)

    @property
    def free_samples(self) -> int:
        """The number of measurements beyond those that the initial states take up."""
        return self.samples - sum(map(len, self._starts))

    def predictions(self, x: Array) -> list[list[Array]]:
        """Returns each signal of each sequence, at the times of its samples."""
        point = self._at(x)
        return [
            list(self._predicted(each, simulation, point.values))
            for each, simulation in zip(self.sequences, point.simulations, strict=True)
        ]

    def residual(self, x: Array) -> Array:
        """Returns the weighted errors of the predictions, then the rows of priors."""
        return np.concatenate(
            [*self._at(x).residuals, prior_residual(self.parameters, x, self.weighing.rest)]
        )

    def jacobian(self, x: Array, step: float = STEP) -> Array:
        """Returns the derivatives of the residual, one column for each parameter.

        They are finite differences with a step of the coordinates, and include the best change of
        the initial states.
        """
        point = self._at(x)
        self._slopes = self._start_slopes(point)
        columns = self._parameter_slopes(x, point, step)
        for block, (basis, _) in zip(columns, self._slopes, strict=True):
            if basis.shape[1]:
                block -= basis @ (basis.T @ block)
        found: Array = np.concatenate(
            [*columns, prior_jacobian(self.parameters, x, self.weighing.rest)]
        )
        return found

    def rows_of_signals(self) -> Iterator[tuple[Source, slice]]:
        """Yields the rows of the residual that belong to each signal of each sequence."""
        begin = 0
        for each in self.sequences:
            for signal in each.sequence.signals:
                yield signal.source, slice(begin, begin + len(signal.times))
                begin += len(signal.times)

    def _at(self, x: Array) -> _Point:
        """Returns the point of these coordinates, with the initial states that fit best."""
        key = x.tobytes() + repr(self.weighing).encode()
        if self._point is None or self._point.key != key:
            values = self.values(x)
            model = self._model.compiled(self.parameters, values)
            self._point = self._simulated(key, values, model)
            if self.starts:
                self._correct_starts(self._point)
        return self._point

    def _simulated(self, key: bytes, values: list[float], model: Any) -> _Point:
        simulations = list(self._simulator.run(self._jobs(model, values)))
        residuals = [
            self._residual(each, simulation, values)
            for each, simulation in zip(self.sequences, simulations, strict=True)
        ]
        return _Point(
            key=key, values=values, model=model, simulations=simulations, residuals=residuals
        )

    def _correct_starts(self, point: _Point) -> None:
        """Changes the initial states of a point to those that fit best, by Gauss-Newton steps.

        The derivatives of an earlier point serve until a step of a sequence fails.
        """
        fresh = self._slopes is None
        if self._slopes is None:
            self._slopes = self._start_slopes(point)
        for _ in range(_ROUNDS):
            before = np.array([each @ each for each in point.residuals])
            gains = self._step_of_starts(point)
            failed = gains < -_GAIN * before
            if np.all(gains <= _GAIN * before) and (fresh or not np.any(failed)):
                return
            fresh = bool(np.any(failed)) and not fresh
            if fresh:
                self._slopes = self._start_slopes(point)

    def _step_of_starts(self, point: _Point) -> Array:
        """Makes a step of each initial state, undoes those that fail, and returns the gains."""
        assert self._slopes is not None
        starts = list(self._starts)
        for k, (basis, triangle) in enumerate(self._slopes):
            residual = point.residuals[k]
            step, *_ = np.linalg.lstsq(triangle, -basis.T @ residual, _ROUNDING * len(residual))
            self._starts[k] = starts[k] + step
        moved = self._simulated(point.key, point.values, point.model)
        gains = np.zeros(len(starts))
        for k, (old, new) in enumerate(zip(point.residuals, moved.residuals, strict=True)):
            gains[k] = old @ old - new @ new
            if gains[k] > 0.0:
                point.simulations[k], point.residuals[k] = moved.simulations[k], new
            else:
                self._starts[k] = starts[k]
        return gains

    def _start_slopes(self, point: _Point) -> list[tuple[Array, Array]]:
        """Returns the derivatives of each sequence's residual by its initial state.

        They are decomposed into an orthonormal basis and a triangle (QR).
        """
        jobs, owners = [], []
        for k, each in enumerate(self.sequences):
            for place in range(len(self._starts[k])):
                moved = self._starts[k].copy()
                moved[place] += _START_STEP
                jobs.append((self._variant(k, moved, point.model, point.values), each.part))
                owners.append((k, place))
        found = [
            np.empty((len(residual), len(start)))
            for residual, start in zip(point.residuals, self._starts, strict=True)
        ]
        simulations = self._simulator.run(jobs) if jobs else ()
        for (k, place), simulation in zip(owners, simulations, strict=True):
            residual = self._residual(self.sequences[k], simulation, point.values)
            found[k][:, place] = (residual - point.residuals[k]) / _START_STEP
        return [(basis, triangle) for basis, triangle in map(np.linalg.qr, found)]

    def _parameter_slopes(self, x: Array, point: _Point, step: float) -> list[Array]:
        """Returns the derivatives of each sequence's residual by the parameters."""
        _, high = self.bounds()
        steps = np.where(x + step <= high, step, -step)
        moved = [self.values(x + row) for row in np.diag(steps)]
        jobs = []
        for parameter, values in zip(self.parameters, moved, strict=True):
            if parameter.effect not in _READ_OFF:
                of_model = parameter.effect in ('attribute', 'mass', 'inertia')
                model = self._model.compiled(self.parameters, values) if of_model else point.model
                jobs += self._jobs(model, values)
        simulations = iter(self._simulator.run(jobs) if jobs else ())
        found = [np.empty((len(each), len(x))) for each in point.residuals]
        for place, (parameter, values) in enumerate(zip(self.parameters, moved, strict=True)):
            for k, each in enumerate(self.sequences):
                old = parameter.effect in _READ_OFF
                simulation = point.simulations[k] if old else next(simulations)
                change = self._residual(each, simulation, values) - point.residuals[k]
                found[k][:, place] = change / steps[place]
        return found

    def _jobs(self, model: Any, values: Sequence[float]) -> list[Job]:
        """Returns the simulations of all sequences."""
        return [
            (self._variant(k, start, model, values), each.part)
            for k, (start, each) in enumerate(zip(self._starts, self.sequences, strict=True))
        ]

    def _variant(self, k: int, start: Array, model: Any, values: Sequence[float]) -> Variant:
        """Returns the simulation of a sequence from an initial state."""
        each, count = self.sequences[k], len(self._joints.names)
        positions, velocities = model.qpos0.copy(), np.zeros(model.nv)
        whole = np.zeros(2 * count)
        whole[: len(start)] = start
        positions[self._joints.qpos] = each.positions + _POSITION * whole[:count]
        velocities[self._joints.dofs] = each.velocities + _VELOCITY * whole[count:]
        return Variant(
            model=model,
            positions=positions,
            velocities=velocities,
            delay=self._of_effect('command_delay', values, ''),
        )

    def _of_effect(self, effect: str, values: Sequence[float], target: str) -> float:
        """Returns the value of the parameter with an effect on a target; 0 without one."""
        for each, value in zip(self.parameters, values, strict=True):
            if each.effect == effect and (not target or target in each.targets):
                return value
        return 0.0

    def _predicted(
        self, each: Prepared, simulation: Simulated, values: Sequence[float]
    ) -> Iterator[Array]:
        """Yields each signal of a sequence."""
        for signal in each.sequence.signals:
            offset = 0.0
            if signal.source.quantity == 'position':
                offset = self._of_effect('offset', values, signal.source.name)
            delay = self._of_effect('signal_delay', values, signal.topic)
            yield self._reader.read(signal, simulation, delay, offset)

    def _residual(self, each: Prepared, simulation: Simulated, values: Sequence[float]) -> Array:
        """Returns the residual of a sequence, its signals one after the other."""
        parts = [
            self.weighing.signals[signal.source] * (predicted - signal.values)
            for signal, predicted in zip(
                each.sequence.signals, self._predicted(each, simulation, values), strict=True
            )
        ]
        return np.concatenate(parts)
