"""Fits parameters to sequences in passes, with weights from the noise of the pass before."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any, TextIO

import numpy as np

from .optimiser import solve
from .options import FitOptions
from .priors import Weighing
from .problem import Problem
from .sequences import Array, Source

_GAIN, _ROUGH_GAIN = 5e-3, 1e-4
"""The gains of the objective that end a fit. With residuals in units of noise, a gain of 5e-3
moves no parameter by more than 10 % of its standard deviation."""
_LENGTHS_S, _MOST_PIECES, _ROUGH_TOLERANCE = (0.3, 1.0, 3.0), 16, 1e-3
"""The lengths of the pieces of rough fits, their number, and the tolerance."""
_PASSES = 4
_STEADY = 0.05
"""The change of the noise, relatively, below which no further pass is made."""
_FIRST_REST, _REST = 1e-3, 1.0
"""The weight of the initial values in the first pass, and with residuals in units of noise."""
_TINY = 1e-9
"""The least noise of a signal in units of its deviation; simulated data may have no noise."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fit:
    """The unknowns that fit the sequences."""

    x: Array
    noise: dict[Source, float]
    iterations: int
    converged: bool


def fit(problem: Problem, options: FitOptions, progress: Progress | None = None) -> Fit:
    """Fits the parameters of a problem, and sets its weights to the inverse of the noise."""
    progress = progress or Progress(None)
    spread = _spread(problem)
    problem.weighing = Weighing(
        signals={source: 1.0 / value for source, value in spread.items()}, rest=_FIRST_REST
    )
    values, iterations = _rough(problem, options, progress)
    x = problem.coordinates(values)
    noise: dict[Source, float] = {}
    converged = False
    for number in range(1, _PASSES + 1):
        counted = progress.of_pass(number)
        weighed = number > 1
        x = solve(
            problem,
            x,
            tolerance=options.tolerance if weighed else _ROUGH_TOLERANCE,
            least_gain=_GAIN if weighed else _ROUGH_GAIN,
            iterations=options.max_iterations,
            report=counted.report,
        )
        iterations += counted.count
        converged = counted.count < options.max_iterations
        before, noise = noise, _noise(problem, x)
        noise = {source: max(each, _TINY * spread[source]) for source, each in noise.items()}
        problem.weighing = Weighing(
            signals={source: 1.0 / each for source, each in noise.items()}, rest=_REST
        )
        if before and all(abs(noise[each] / before[each] - 1.0) < _STEADY for each in noise):
            break
    return Fit(x=x, noise=noise, iterations=iterations, converged=converged)


def _rough(problem: Problem, options: FitOptions, progress: Progress) -> tuple[list[float], int]:
    """Returns values from fits of short pieces, then of longer ones; and the iterations.

    In a long simulation with wrong values, the robot leaves the measured motion, and the fit ends
    in a local optimum. In a short piece, it cannot move far. Robots with controllers in the loop
    follow their goals anyway.
    """
    values, iterations = [each.initial for each in problem.parameters], 0
    longest = max(each.part.end - each.part.begin for each in problem.sequences)
    for length in _LENGTHS_S:
        if problem.starts and 2.0 * length <= longest:
            short = problem.pieces(length, _MOST_PIECES)
            counted = progress.of_pass(0)
            x = solve(
                short, short.coordinates(values),
                tolerance=_ROUGH_TOLERANCE, least_gain=_ROUGH_GAIN,
                iterations=options.max_iterations, report=counted.report,
            )  # fmt: skip
            values, iterations = short.values(x), iterations + counted.count
    return values, iterations


def _noise(problem: Problem, x: Array) -> dict[Source, float]:
    """Returns the standard deviation of each signal's residual, in its unit."""
    apart: dict[Source, list[Array]] = {}
    for each, signals in zip(problem.sequences, problem.predictions(x), strict=True):
        for signal, predicted in zip(each.sequence.signals, signals, strict=True):
            apart.setdefault(signal.source, []).append(predicted - signal.values)
    unbiased = problem.samples / max(problem.free_samples - len(x), 1)
    return {
        source: float(np.sqrt(unbiased * np.mean(np.square(np.concatenate(parts)))))
        for source, parts in apart.items()
    }


def _spread(problem: Problem) -> dict[Source, float]:
    """Returns the standard deviation of each measured signal."""
    found: dict[Source, list[Array]] = {}
    for each in problem.sequences:
        for signal in each.sequence.signals:
            found.setdefault(signal.source, []).append(signal.values)
    return {
        source: max(float(np.std(np.concatenate(parts))), _TINY) for source, parts in found.items()
    }


class Progress:
    """Writes a line for each iteration, on a terminal over the one before."""

    def __init__(self, stream: TextIO | None = sys.stderr) -> None:
        self._stream, self._number, self.count = stream, 0, 0
        self._begin = time.monotonic()

    def of_pass(self, number: int) -> Progress:
        """Counts the iterations of another pass."""
        self._number, self.count = number, 0
        return self

    def report(self, log: Any) -> None:
        """Shows an iteration."""
        self.count += 1
        if self._stream is not None and self._stream.isatty():
            wall = time.monotonic() - self._begin
            print(
                f'\rpass {self._number}, iteration {self.count}: objective {log.objective:.6g},'
                f' {wall:.0f} s ',
                end='', file=self._stream, flush=True,
            )  # fmt: skip

    def end(self) -> None:
        """Ends the line."""
        if self._stream is not None and self._stream.isatty():
            print(file=self._stream)


def squares_of(problem: Problem, x: Array) -> list[float]:
    """Returns the sum of squares of each sequence's residual, in units of noise."""
    residual, begin, found = problem.residual(x), 0, []
    for each in problem.sequences:
        part = residual[begin : begin + each.samples]
        begin += each.samples
        found.append(float(part @ part))
    return found
