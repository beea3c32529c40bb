"""Judges predictions: whether a robot has left its expected bounds, and the best reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .measurements import Measured
from .predictions import Prediction, Predictor
from .reasons import Reason, Reasons
from .recorded_steps import Steps

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The judgement of a prediction."""

    stamp: float
    """The robot's time of the measured state."""
    residuals: Array
    """Measured minus predicted positions, then velocities if these are measured."""
    bounds: Array
    outside: bool
    """Whether this prediction has a residual outside its bound."""
    left: bool
    """Whether enough successive predictions had one."""
    reason: Reason | None
    """The hypothesis that fits best; None unless the robot has left the bounds."""

    @property
    def worst(self) -> int:
        """The index of the residual that is largest in units of its bound."""
        return int(np.argmax(np.abs(self.residuals) / self.bounds))


class Watch:
    """The judge of a robot, with its memory."""

    def __init__(self, predictor: Predictor, reasons: Reasons) -> None:
        self._predictor, self._reasons = predictor, reasons
        self._outside = 0

    def clear(self) -> None:
        """Forgets all predictions."""
        self._outside = 0
        self._reasons.clear()

    def judge(
        self, first: Measured, last: Measured, steps: Steps, *, sigmas: float, windows: int
    ) -> Verdict | None:
        """Judges the prediction of the last state from the first.

        Returns None if the simulation diverges from there.
        """
        found = self._predictor.predict(first, last, steps, self._reasons.runs)
        if not all(np.all(np.isfinite(each)) for each in (found.covariance, *found.effects)):
            return None
        self._reasons.add(found)
        return self._verdict(found, last.stamp, sigmas, windows)

    def _verdict(self, found: Prediction, stamp: float, sigmas: float, windows: int) -> Verdict:
        bounds = sigmas * np.sqrt(np.diag(found.covariance))
        outside = bool(np.any(np.abs(found.residual) > bounds))
        self._outside = self._outside + 1 if outside else 0
        left = self._outside >= windows
        return Verdict(
            stamp=stamp, residuals=found.residual, bounds=bounds, outside=outside, left=left,
            reason=self._reasons.best() if left else None,
        )  # fmt: skip
