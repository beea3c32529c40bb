"""The initial states of sequences that fit best, by Gauss-Newton steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .priors import Weighing
from .rollouts import Simulated
from .sequences import Array

_START_STEP = 1e-2
"""The step of finite differences in coordinates of initial states."""
_ROUNDS, _GAIN = 12, 1e-7
"""The most corrections, and the relative gain of a sequence below which it needs none."""
_POOR, _SHORTER, _SHORTEST = 0.5, 0.25, 0.01
"""The share of the promised gain below which a step is poor, the factor of the next step's length
after a poor one, and the shortest step."""
_ROUNDING = float(np.finfo(np.float64).eps)


@dataclass(kw_only=True, slots=True)
class Point:
    """The simulations of one set of coordinates, which do not depend on weights."""

    key: bytes
    values: list[float]
    model: Any
    simulations: list[Simulated] = field(default_factory=list)
    errors: list[Array] = field(default_factory=list)
    """The predicted minus the measured signals of each sequence, one after the other."""
    corrected_for: Weighing | None = None
    """The weights for which the initial states fit best."""
    slopes: dict[float, list[Array]] = field(default_factory=dict)
    """The derivatives of the errors by the coordinates, by the step of the differences."""


Simulate = Callable[[Point, Sequence[tuple[int, Array]]], Iterable[tuple[Simulated, Array]]]
"""Simulates sequences, given by their places, from other initial states, and yields errors too."""


class Starts:
    """The initial states of sequences, and the derivatives of the errors by them."""

    def __init__(self, sizes: Iterable[int], simulate: Simulate) -> None:
        self.states = [np.zeros(size) for size in sizes]
        self._simulate = simulate
        self._slopes: list[Array | None] = [None] * len(self.states)
        self._fresh = [False] * len(self.states)
        self._exact = [False] * len(self.states)
        self._weights: Sequence[Array] = ()
        self._decomposed: dict[int, tuple[Array, Array]] = {}

    def parameters_changed(self) -> None:
        """Marks the derivatives as those of other parameters."""
        self._fresh = [False] * len(self.states)
        self._exact = [False] * len(self.states)

    def bases(self, point: Point, weights: Sequence[Array]) -> list[Array]:
        """Returns an orthonormal basis of the weighted effects of each initial state."""
        self._weigh(weights)
        self._renew([k for k, fresh in enumerate(self._fresh) if not fresh], point)
        return [self._decomposition(k)[0] for k in range(len(self.states))]

    def correct(self, point: Point, weights: Sequence[Array]) -> None:
        """Changes the initial states of a point to those with the least weighted errors.

        Derivatives for earlier parameters serve until a step gains too little. A sequence is done
        when its next step promises no gain.
        """
        self._weigh(weights)
        active = [k for k, state in enumerate(self.states) if len(state)]
        lengths = np.ones(len(self.states))
        for _ in range(_ROUNDS):
            self._renew([k for k in active if self._slopes[k] is None], point)
            steps = {k: self._step(k, weights[k] * point.errors[k]) for k in active}
            active = [
                k for k, (_, promised) in steps.items() if promised and lengths[k] > _SHORTEST
            ]
            if not active:
                return
            tried = [(k, self.states[k] + lengths[k] * steps[k][0]) for k in active]
            for (k, state), (simulation, errors) in zip(
                tried, self._simulate(point, tried), strict=True
            ):
                old, new = weights[k] * point.errors[k], weights[k] * errors
                gain = float(old @ old - new @ new)
                if gain > 0.0:
                    self.states[k] = state
                    self._exact[k] = False
                    point.simulations[k], point.errors[k] = simulation, errors
                promised = steps[k][1] * lengths[k] * (2.0 - lengths[k])
                lengths[k] = self._next_length(k, lengths[k], gain / promised)

    def _step(self, k: int, residual: Array) -> tuple[Array, float]:
        """Returns the best step of an initial state, and its gain; 0 if it is not worth it."""
        basis, triangle = self._decomposition(k)
        along = basis.T @ residual
        promised = float(along @ along)
        step, *_ = np.linalg.lstsq(triangle, -along, _ROUNDING * len(residual))
        return step, promised if promised > _GAIN * float(residual @ residual) else 0.0

    def _next_length(self, k: int, length: float, share: float) -> float:
        """Returns the length of the next step, after one that gained a share of what it promised.

        Outdated derivatives are dropped.
        """
        if share >= _POOR:
            return min(2.0 * length, 1.0)
        if not self._exact[k]:
            self._slopes[k] = None
        return length if share > 0.0 or not self._exact[k] else _SHORTER * length

    def _renew(self, places: Sequence[int], point: Point) -> None:
        """Computes the derivatives of sequences."""
        moved = [
            (k, self.states[k] + row)
            for k in places
            for row in _START_STEP * np.eye(len(self.states[k]))
        ]
        found = iter(self._simulate(point, moved) if moved else ())
        for k in places:
            slopes = np.empty((len(point.errors[k]), len(self.states[k])))
            for column in range(slopes.shape[1]):
                _, errors = next(found)
                slopes[:, column] = (errors - point.errors[k]) / _START_STEP
            self._slopes[k], self._fresh[k], self._exact[k] = slopes, True, True
            self._decomposed.pop(k, None)

    def _weigh(self, weights: Sequence[Array]) -> None:
        if weights is not self._weights:
            self._weights = weights
            self._decomposed.clear()

    def _decomposition(self, k: int) -> tuple[Array, Array]:
        """Returns the weighted derivatives of a sequence as a basis and a triangle (QR)."""
        if k not in self._decomposed:
            slopes = self._slopes[k]
            assert slopes is not None
            basis, triangle = np.linalg.qr(self._weights[k][:, None] * slopes)
            self._decomposed[k] = basis, triangle
        return self._decomposed[k]
