"""Confidence intervals, correlations, and combinations that the data do not determine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from mujoco import sysid

from .problem import Problem
from .sequences import Array, Source

_DETERMINED = 1.0
"""The largest half width of the 95 % interval of a determined coordinate: 100 % of its size."""
WITHIN_95 = 1.96
_ENDLESS = 1e3
"""Half of an interval of a coordinate that counts as infinite."""
_COARSE_STEP, _JUMP = 3e-3, 0.3
"""The step of other derivatives, and the relative difference above which a simulation jumps."""
_SMALL = 1e-12
"""The smallest information that is not 0, relative to the largest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Uncertainty:
    """The errors of the coordinates of the parameters."""

    half_widths: Array
    """Half of each 95 % interval; infinite if the data do not determine the coordinate, and all
    infinite if the simulation jumps with any coordinate."""
    jumping: tuple[bool, ...]
    """Whether the simulation changes in jumps with each coordinate; its error is then unknown."""
    covariance: Array
    """The covariance of the errors of the coordinates."""
    repeats: Mapping[Source, float]
    """The number of samples of each signal that are one independent measurement."""
    effects: Array
    """The change of all residuals per change of each coordinate, in units of noise."""
    directions: tuple[Array, ...]
    """Directions of length 1 along which the data do not determine the coordinates."""

    @property
    def determined(self) -> list[bool]:
        """Whether the data determine each coordinate."""
        return [bool(half <= _DETERMINED) for half in self.half_widths]


def uncertainty(problem: Problem, x: Array) -> Uncertainty:
    """Returns the errors at the optimum, from the Jacobian.

    `mujoco.sysid` computes the intervals. Residuals that follow each other are no independent
    measurements where the model is wrong, so the information of each signal is divided by the
    integrated autocorrelation time of its residual. Where derivatives depend on the size of their
    step, as with contacts that come and go, they say nothing about the error.
    """
    residual, jacobian = problem.residual(x), problem.jacobian(x)
    coarse = problem.jacobian(x, _COARSE_STEP)
    effects = np.maximum(np.linalg.norm(coarse, axis=0), WITHIN_95)  # less determines nothing
    jumping = _differences(problem, jacobian, coarse) > _JUMP * effects
    jacobian = jacobian[: len(jacobian) - len(x)]  # without the weak priors
    repeats = _repeats(problem, residual)
    measured = residual[: problem.samples]
    # The initial states took up measurements, too.
    free = (problem.free_samples - len(x)) / (problem.samples - len(x))
    jacobian *= np.sqrt(free / _of_rows(problem, repeats, len(jacobian)))[:, None]
    _, half = sysid.calculate_intervals([measured], jacobian)
    information = jacobian.T @ jacobian / max(float(np.mean(np.square(measured))), _SMALL)
    values, vectors = np.linalg.eigh(information)
    errors = 1.0 / np.sqrt(np.maximum(values, _SMALL * max(float(values[-1]), _SMALL)))
    weak = WITHIN_95 * errors > _DETERMINED
    return Uncertainty(
        half_widths=np.where(
            np.isfinite(half) & (half <= _ENDLESS) & ~jumping.any(), half, np.inf
        ),
        jumping=tuple(map(bool, jumping)),
        covariance=(vectors * np.square(errors)) @ vectors.T,
        repeats=repeats,
        effects=np.sqrt(np.diag(information)),
        directions=tuple(vectors[:, k] for k in np.flatnonzero(weak)),
    )


def _differences(problem: Problem, fine: Array, coarse: Array) -> Array:
    """Returns the difference of the derivatives by each coordinate.

    The derivatives by a delay are others on both sides of each multiple of the time step, where
    commands begin to act in another step. So these are compared by their size.
    """
    delays = [each.effect == 'command_delay' for each in problem.parameters]
    sizes = np.linalg.norm(fine, axis=0) - np.linalg.norm(coarse, axis=0)
    found: Array = np.where(delays, np.abs(sizes), np.linalg.norm(fine - coarse, axis=0))
    return found


def _repeats(problem: Problem, residual: Array) -> dict[Source, float]:
    """Returns for each signal how many of its samples are one independent measurement."""
    times: dict[Source, list[tuple[float, int]]] = {}
    for source, place in problem.rows_of_signals():
        part = residual[place]
        times.setdefault(source, []).append((correlation_time(part), len(part)))
    return {
        source: sum(time * size for time, size in found) / sum(size for _, size in found)
        for source, found in times.items()
    }


def _of_rows(problem: Problem, repeats: Mapping[Source, float], count: int) -> Array:
    found = np.ones(count)
    for source, place in problem.rows_of_signals():
        found[place] = repeats[source]
    return found


def correlation_time(values: Array) -> float:
    """Returns the integrated autocorrelation time in samples, at least 1.

    The sum of the autocorrelation ends where its window reaches five times the sum, as in
    A. Sokal, "Monte Carlo methods in statistical mechanics" (1997).
    """
    centered = values - np.mean(values)
    length = 2 * len(centered)
    power = np.square(np.abs(np.fft.rfft(centered, length)))
    correlation = np.fft.irfft(power, length)[: len(centered)]
    if len(centered) < 2 or correlation[0] <= 0.0:
        return 1.0
    sums = 2.0 * np.cumsum(correlation / correlation[0]) - 1.0
    beyond = np.flatnonzero(np.arange(len(sums)) >= 5.0 * sums)
    return max(1.0, float(sums[beyond[0] if len(beyond) else -1]))
