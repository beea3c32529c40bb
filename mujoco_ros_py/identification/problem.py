"""The least-squares problem of an identification, solved by `mujoco.sysid`."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import mujoco
import numpy as np
from mujoco import sysid

from .adjustable_model import AdjustableModel
from .parameter import Parameter
from .pieces import pieces
from .prepared import Prepared, SignalReader
from .rollouts import MeasuredJoints, MeasuredPart, Simulated, Variant
from .sequences import Array, Source

_POSITION, _VELOCITY = 0.01, 0.1
"""The initial position (rad or m) and velocity (rad/s or m/s) of a coordinate of 1."""
_FAR = 100.0
"""The bounds of the coordinates of initial states."""
_STEP, _START_STEP = 1e-4, 1e-2
"""The steps of finite differences, in coordinates of parameters and of initial states."""
_LEAST_DAMPING, _MOST_DAMPING, _DAMPING_FACTOR = 1e-3, 1e8, 3.0
"""The range of Levenberg and Marquardt's damping, and the factor by which it grows."""
_CHUNK = 64
"""The most simulations that are in memory at once."""


class Simulator(Protocol):
    """Simulates variants of a sequence."""

    def run(self, variants: Sequence[Variant], part: MeasuredPart) -> list[Simulated]:
        """Returns the simulation of each variant."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighing:
    """The weights of residuals."""

    signals: Mapping[Source, float]
    """The weight of each signal; the inverse of its noise makes residuals have a variance of 1."""
    rest: float
    """The weight of the initial values, which holds parameters that the data do not determine."""


class Problem:
    """The residuals of sequences as functions of parameters and initial states.

    The unknowns are the coordinates of the parameters, then those of the initial states of each
    sequence. An initial state has an effect on its sequence only, so one simulation for each joint
    and sequence is enough for its derivatives.
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
        fixed: Sequence[float] | None = None,
    ) -> None:
        """`starts` says whether the initial states are unknowns.

        With `fixed`, the parameters have these values and are no unknowns.
        """
        self._model, self.parameters, self.sequences = model, list(parameters), list(sequences)
        self._joints, self._simulator, self._reader = joints, simulator, reader
        self.starts = starts
        """Whether the initial states are unknowns."""
        self._fixed = None if fixed is None else list(fixed)
        self.shared = len(self.parameters) if fixed is None else 0
        """The number of parameters that are unknowns."""
        count = len(joints.names)
        self._starts = [
            (count if each.sequence.rests else 2 * count) if starts else 0 for each in sequences
        ]
        ends = self.shared + np.cumsum([0, *self._starts])
        self._blocks = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self.size = int(ends[-1])
        self.weighing = Weighing(signals={}, rest=0.0)
        self._known: tuple[bytes, Any, list[Simulated]] | None = None

    def over(self, sequences: Sequence[Prepared], fixed: Sequence[float] | None = None) -> Problem:
        """Returns the problem with other sequences, and the same weights."""
        made = Problem(
            self._model, self.parameters, sequences, self._joints, self._simulator, self._reader,
            starts=self.starts, fixed=fixed,
        )  # fmt: skip
        made.weighing = self.weighing
        return made

    def pieces(self, length: float) -> Problem:
        """Returns the problem with pieces of the sequences of a length in s."""
        return self.over(pieces(self.sequences, self._joints, length))

    def initial(self, values: Sequence[float]) -> Array:
        """Returns the unknowns for values of the parameters and measured initial states."""
        found = np.zeros(self.size)
        for place in range(self.shared):
            found[place] = self.parameters[place].coordinate(values[place])
        return found

    def values(self, x: Array) -> list[float]:
        """Returns the values of the parameters."""
        if self._fixed is not None:
            return self._fixed
        return [each.value(float(c)) for each, c in zip(self.parameters, x, strict=False)]

    def bounds(self) -> tuple[Array, Array]:
        """Returns the bounds of the unknowns."""
        low, high = np.full(self.size, -_FAR), np.full(self.size, _FAR)
        for place, each in enumerate(self.parameters[: self.shared]):
            low[place], high[place] = each.limits
        return low, high

    def simulations(self, x: Array) -> list[Simulated]:
        """Returns the simulation of each sequence."""
        return self._base(x)[1]

    def _base(self, x: Array) -> tuple[Any, list[Simulated]]:
        """Returns the model, and the simulation of each sequence; keeps those of the last call."""
        key = x.tobytes()
        if self._known is None or self._known[0] != key:
            values = self.values(x)
            model = self._model.compiled(self.parameters, values)
            found = [
                self._simulator.run([self._variant(k, x, model, values)], each.part)[0]
                for k, each in enumerate(self.sequences)
            ]
            self._known = key, model, found
        return self._known[1], self._known[2]

    def predictions(self, x: Array) -> list[list[Array]]:
        """Returns each signal of each sequence, at the times of its samples."""
        values = self.values(x)
        return [
            list(self._predicted(each, simulation, values))
            for each, simulation in zip(self.sequences, self.simulations(x), strict=True)
        ]

    def residual(self, x: Array) -> Array:
        """Returns the weighted differences of prediction and measurement, then those of priors."""
        parts = [
            self._weighted(each, signals, minus_measured=True)
            for each, signals in zip(self.sequences, self.predictions(x), strict=True)
        ]
        return np.concatenate([*parts, self._prior_residual(x)])

    def jacobian(self, x: Array) -> Array:
        """Returns the derivatives of the residual, one column for each unknown."""
        columns = self._perturbed(x)
        found = np.zeros((len(self.residual(x)), self.size), order='F')
        base = self.predictions(x)
        begin = 0
        for k, each in enumerate(self.sequences):
            rows = slice(begin, begin + each.samples)
            begin = rows.stop
            self._fill(found[rows], k, x, base[k], columns)
        found[begin:] = self._prior_jacobian(x)
        return found

    def solve(
        self, x: Array, *, tolerance: float, iterations: int, report: Callable[[Any], None]
    ) -> Array:
        """Returns the unknowns with the least squared residual, found by `mujoco.sysid`.

        `report` is called after each iteration with MuJoCo's log of it.
        """
        low, high = self.bounds()
        unknowns = sysid.ParameterDict()
        unknowns.add(sysid.Parameter('unknowns', np.clip(x, low, high), low, high))

        def residual(at: Array, _: object) -> tuple[list[Array], list[Any], list[Any]]:
            found = [self.residual(column) for column in np.asarray(at).reshape(self.size, -1).T]
            return [np.column_stack(found)], [], []

        logging.getLogger('absl').setLevel(logging.ERROR)  # it warns of values near their bounds
        _, result = sysid.optimize(
            unknowns,
            residual,
            optimizer='mujoco',
            verbose=False,
            jacobian=lambda at, _: self.jacobian(at.ravel()),
            max_iters=iterations,
            xtol=tolerance,
            mu_min=_LEAST_DAMPING,
            mu_max=_MOST_DAMPING,
            mu_factor=_DAMPING_FACTOR,
            output=io.StringIO(),
            iter_callback=lambda log: report(log[-1]),
        )
        best: Array = np.asarray(result.x).ravel()
        return best

    def noise(self, x: Array) -> dict[Source, float]:
        """Returns the standard deviation of each signal's residual, in its unit."""
        apart: dict[Source, list[Array]] = {}
        for each, signals in zip(self.sequences, self.predictions(x), strict=True):
            for signal, predicted in zip(each.sequence.signals, signals, strict=True):
                apart.setdefault(signal.source, []).append(predicted - signal.values)
        return {
            source: float(np.sqrt(np.mean(np.square(np.concatenate(parts)))))
            for source, parts in apart.items()
        }

    def rows_of_signals(self) -> Iterator[tuple[Source, slice]]:
        """Yields the rows of the residual that belong to each signal of each sequence."""
        begin = 0
        for each in self.sequences:
            for signal in each.sequence.signals:
                yield signal.source, slice(begin, begin + len(signal.times))
                begin += len(signal.times)

    @property
    def samples(self) -> int:
        """The number of rows of the residual that are measurements."""
        return sum(each.samples for each in self.sequences)

    def _perturbed(self, x: Array) -> list[tuple[int, float, Any, list[float]]]:
        """Returns for each parameter: its place, its step, the model, and all values."""
        _, high = self.bounds()
        found = []
        base, _ = self._base(x)
        for place, each in enumerate(self.parameters[: self.shared]):
            step = _STEP if x[place] + _STEP <= high[place] else -_STEP
            moved = x.copy()
            moved[place] += step
            values = self.values(moved)
            of_model = each.effect in ('attribute', 'mass', 'inertia')
            model = self._model.compiled(self.parameters, values) if of_model else base
            found.append((place, step, model, values))
        return found

    def _fill(self, rows: Array, k: int, x: Array, base: list[Array], columns: list[Any]) -> None:
        """Fills the rows of a sequence in the Jacobian."""
        each, block = self.sequences[k], self._blocks[k]
        moves: list[tuple[int, float, Variant, list[float]]] = []
        for place, step, model, values in columns:
            moves.append((place, step, self._variant(k, x, model, values), values))
        values = self.values(x)
        model, simulations = self._base(x)
        for place in range(block.start, block.stop):
            moved = x.copy()
            moved[place] += _START_STEP
            moves.append((place, _START_STEP, self._variant(k, moved, model, values), values))
        known = simulations[k]
        for begin in range(0, len(moves), _CHUNK):
            chunk = moves[begin : begin + _CHUNK]
            run = [move for move in chunk if self._needs_run(move[0])]
            made = self._simulator.run([move[2] for move in run], each.part) if run else []
            of_place = {move[0]: new for move, new in zip(run, made, strict=True)}
            for place, step, _, values in chunk:
                signals = list(self._predicted(each, of_place.get(place, known), values))
                apart = [(new - old) / step for new, old in zip(signals, base, strict=True)]
                rows[:, place] = self._weighted(each, apart)

    def _needs_run(self, place: int) -> bool:
        """Returns whether an unknown changes the simulation, and not only what is read from it."""
        if place >= self.shared:
            return True
        return self.parameters[place].effect not in ('signal_delay', 'offset')

    def _variant(
        self, k: int, x: Array, model: mujoco.MjModel, values: Sequence[float]
    ) -> Variant:
        """Returns the simulation of a sequence for these unknowns."""
        each, block = self.sequences[k], self._blocks[k]
        positions, velocities = model.qpos0.copy(), np.zeros(model.nv)
        count = len(self._joints.names)
        start = np.zeros(2 * count)
        start[: block.stop - block.start] = x[block]
        positions[self._joints.qpos] = each.positions + _POSITION * start[:count]
        velocities[self._joints.dofs] = each.velocities + _VELOCITY * start[count:]
        return Variant(
            model=model,
            positions=positions,
            velocities=velocities,
            delay=self._of_effect('command_delay', values, ''),
        )

    def _of_effect(self, effect: str, values: Sequence[float], target: str) -> float:
        """Returns the value of the parameter with an effect on a target; 0 without one."""
        for each, value in zip(self.parameters, values, strict=False):
            if each.effect == effect and (not target or target in each.targets):
                return value
        return 0.0

    def _predicted(
        self, each: Prepared, simulation: Simulated, values: Sequence[float]
    ) -> Iterator[Array]:
        """Yields each signal of a sequence."""
        for signal in each.sequence.signals:
            source = signal.source
            offset = 0.0
            if source.quantity == 'position':
                offset = self._of_effect('offset', values, source.name)
            delay = self._of_effect('signal_delay', values, signal.topic)
            yield self._reader.read(signal, simulation, delay, offset)

    def _weighted(
        self, each: Prepared, signals: Sequence[Array], *, minus_measured: bool = False
    ) -> Array:
        """Returns the signals of a sequence in units of their noise, one after the other."""
        parts = []
        for signal, values in zip(each.sequence.signals, signals, strict=True):
            weight = self.weighing.signals[signal.source]
            parts.append(weight * (values - signal.values if minus_measured else values))
        return np.concatenate(parts)

    def _prior_residual(self, x: Array) -> Array:
        """Returns a row for each prior of the user, then a weak one for each parameter."""
        free = self.parameters[: self.shared]
        given = [
            (value - each.prior[0]) / each.prior[1]
            for each, value in zip(free, self.values(x), strict=False)
            if each.prior
        ]
        moved = [c - each.coordinate(each.initial) for each, c in zip(free, x, strict=False)]
        return np.concatenate([np.array(given), self.weighing.rest * np.array(moved)])

    def _prior_jacobian(self, x: Array) -> Array:
        free = self.parameters[: self.shared]
        given = [
            each.slope(value) / each.prior[1] * np.eye(1, self.size, place)[0]
            for place, (each, value) in enumerate(zip(free, self.values(x), strict=False))
            if each.prior
        ]
        return np.vstack([*given, self.weighing.rest * np.eye(self.shared, self.size)])
