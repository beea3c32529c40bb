"""The least-squares problem of an identification."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .adjustable_model import AdjustableModel
from .parameter import Parameter
from .pieces import pieces
from .prepared import Prepared, SignalReader
from .priors import Weighing, prior_jacobian, prior_residual
from .rollouts import Job, MeasuredJoints, Simulated, Simulator, Variant
from .sequences import Array, Source
from .starts import Point, Starts

_POSITION, _VELOCITY = 0.01, 0.1
"""The initial position (rad or m) and velocity (rad/s or m/s) of a coordinate of 1."""
STEP = 1e-4
"""The step of finite differences in coordinates of parameters."""
_READ_OFF = 'signal_delay', 'offset'
"""The effects that change no simulation, only how signals are read."""


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
        self._starts = Starts(sizes, self._simulated)
        self.weighing = Weighing(signals={}, rest=0.0)
        self._point: Point | None = None
        self._weighted: tuple[Weighing, list[Array]] | None = None

    def over(self, sequences: Sequence[Prepared]) -> Problem:
        """Returns the problem with other sequences, and the same weights."""
        made = Problem(
            self._model, self.parameters, sequences, self._joints, self._simulator, self._reader,
            starts=self.starts,
        )  # fmt: skip
        made.weighing = self.weighing
        places = {id(each): place for place, each in enumerate(self.sequences)}
        for place, each in enumerate(sequences):
            if id(each) in places:
                made._starts.states[place] = self._starts.states[places[id(each)]]
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
        return self.samples - sum(map(len, self._starts.states))

    def predictions(self, x: Array) -> list[list[Array]]:
        """Returns each signal of each sequence, at the times of its samples."""
        point = self._at(x)
        return [
            list(self._predicted(each, simulation, point.values))
            for each, simulation in zip(self.sequences, point.simulations, strict=True)
        ]

    def residual(self, x: Array) -> Array:
        """Returns the weighted errors of the predictions, then the rows of priors."""
        weighted = [w * e for w, e in zip(self._weights(), self._at(x).errors, strict=True)]
        return np.concatenate([*weighted, prior_residual(self.parameters, x, self.weighing.rest)])

    def jacobian(self, x: Array, step: float = STEP) -> Array:
        """Returns the derivatives of the residual, one column for each parameter.

        They are finite differences with a step of the coordinates, and include the best change of
        the initial states.
        """
        point, weights = self._at(x), self._weights()
        if step not in point.slopes:
            point.slopes[step] = self._parameter_slopes(x, point, step)
        blocks = [w[:, None] * e for w, e in zip(weights, point.slopes[step], strict=True)]
        bases = self._starts.bases(point, weights)
        for block, basis in zip(blocks, bases, strict=True):
            block -= basis @ (basis.T @ block)
        found: Array = np.concatenate(
            [*blocks, prior_jacobian(self.parameters, x, self.weighing.rest)]
        )
        return found

    def rows_of_signals(self) -> Iterator[tuple[Source, slice]]:
        """Yields the rows of the residual that belong to each signal of each sequence."""
        begin = 0
        for each in self.sequences:
            for signal in each.sequence.signals:
                yield signal.source, slice(begin, begin + len(signal.times))
                begin += len(signal.times)

    def _at(self, x: Array) -> Point:
        """Returns the point of these coordinates, with the initial states that fit best."""
        key = x.tobytes()
        if self._point is None or self._point.key != key:
            values = self.values(x)
            model = self._model.compiled(self.parameters, values)
            self._point = Point(key=key, values=values, model=model)
            self._starts.parameters_changed()
            for simulation, errors in self._simulated(self._point, enumerate(self._starts.states)):
                self._point.simulations.append(simulation)
                self._point.errors.append(errors)
        if self.starts and self._point.corrected_for != self.weighing:
            self._starts.correct(self._point, self._weights())
            self._point.corrected_for = self.weighing
        return self._point

    def _simulated(
        self, point: Point, starts: Iterable[tuple[int, Array]]
    ) -> list[tuple[Simulated, Array]]:
        """Returns the simulations of sequences from initial states, and their errors."""
        given = list(starts)
        jobs = [
            (self._variant(k, start, point.model, point.values), self.sequences[k].part)
            for k, start in given
        ]
        return [
            (simulation, self._errors(self.sequences[k], simulation, point.values))
            for (k, _), simulation in zip(given, self._simulator.run(jobs), strict=True)
        ]

    def _weights(self) -> list[Array]:
        """Returns the weights of the errors of each sequence."""
        if self._weighted is None or self._weighted[0] is not self.weighing:
            found = [
                np.concatenate(
                    [
                        np.full(len(signal.times), self.weighing.signals[signal.source])
                        for signal in each.sequence.signals
                    ]
                )
                for each in self.sequences
            ]
            self._weighted = self.weighing, found
        return self._weighted[1]

    def _parameter_slopes(self, x: Array, point: Point, step: float) -> list[Array]:
        """Returns the derivatives of each sequence's errors by the parameters."""
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
        found = [np.empty((len(each), len(x))) for each in point.errors]
        for place, (parameter, values) in enumerate(zip(self.parameters, moved, strict=True)):
            for k, each in enumerate(self.sequences):
                old = parameter.effect in _READ_OFF
                simulation = point.simulations[k] if old else next(simulations)
                change = self._errors(each, simulation, values) - point.errors[k]
                found[k][:, place] = change / steps[place]
        return found

    def _jobs(self, model: Any, values: Sequence[float]) -> list[Job]:
        """Returns the simulations of all sequences."""
        return [
            (self._variant(k, start, model, values), each.part)
            for k, (start, each) in enumerate(
                zip(self._starts.states, self.sequences, strict=True)
            )
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

    def _errors(self, each: Prepared, simulation: Simulated, values: Sequence[float]) -> Array:
        """Returns the errors of a sequence, its signals one after the other."""
        predicted = self._predicted(each, simulation, values)
        pairs = zip(each.sequence.signals, predicted, strict=True)
        return np.concatenate([values - signal.values for signal, values in pairs])
