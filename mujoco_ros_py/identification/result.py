"""The result of an identification, for reports, files and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .sequences import Array, Sequence, Source


@dataclass(frozen=True, kw_only=True, slots=True)
class Imperfection:
    """A fitted number that is an effect of the plugin `mujoco_ros_py/Imperfections`."""

    effect: Literal['latency', 'offset', 'delay']
    of: str | Mapping[str, str]
    """The target as in an entry of the plugin's timeline: a topic, or for example a joint."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FittedParameter:
    """A fitted number."""

    name: str
    """For people and files, for example `elbow.damping`."""
    places: tuple[str, ...]
    """The attributes of the model that it sets, as in `sweep` (`elbow.damping`, `motor.gear[0]`);
    empty for delays and offsets, which are no part of the model."""
    unit: str
    """The unit in ROS notation, for example `N m s/rad`; empty if unknown."""
    before: float
    after: float
    low: float
    high: float
    """The ends of the 95 % confidence interval; infinite if the data do not determine it."""
    bounds: tuple[float, float]
    at_bound: bool
    """Whether the fit ended at a bound."""
    identifiable: bool
    """Whether the data determine the number apart from all others."""
    imperfections: tuple[Imperfection, ...] = ()
    """The effects of a delay or an offset; empty for attributes of the model."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Direction:
    """A combination of parameters that the data cannot tell apart."""

    weights: Mapping[str, float]
    """Relative changes by parameter, which together have no visible effect."""
    advice: str
    """The motion that would tell them apart."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """A measured signal of a sequence, with the model's before and after the fit."""

    source: Source
    times: Array
    measured: Array
    before: Array
    after: Array


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedSequence:
    """A sequence with the model's errors."""

    sequence: Sequence
    traces: tuple[Trace, ...]
    error_before: float
    error_after: float
    """Root mean square of the residuals, each in units of its signal's noise."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """The result of an identification."""

    parameters: tuple[FittedParameter, ...]
    correlation: Array
    """The correlations of the parameters' errors, one row for each parameter."""
    noise: Mapping[Source, float]
    """The standard deviation of each signal's noise, in the unit of the signal."""
    sequences: tuple[JudgedSequence, ...]
    directions: tuple[Direction, ...]
    warnings: tuple[str, ...]
    """For example, parameters at their bounds, or held-out sequences that did not improve."""
    edits: Mapping[str, Any]
    """The new value of each attribute of the model, by its place as in `sweep`."""
    iterations: int
    wall_s: float

    def shares(self, judged: JudgedSequence) -> tuple[float, float]:
        """Returns the errors before and after the fit, relative to the motion.

        The motion is the deviation of the signals of a quantity from their means in all sequences.
        Each quantity has the same weight.
        """
        squares = []
        for quantity in {each.quantity for each in self.noise}:
            motion = [
                np.mean(np.square(trace.measured - np.mean(trace.measured)))
                for each in self.sequences
                for trace in each.traces
                if trace.source.quantity == quantity
            ]
            found = [each for each in judged.traces if each.source.quantity == quantity]
            if found and motion and max(motion) > 0.0:
                before = np.mean([np.mean(np.square(t.before - t.measured)) for t in found])
                after = np.mean([np.mean(np.square(t.after - t.measured)) for t in found])
                squares.append([before / np.mean(motion), after / np.mean(motion)])
        shares = np.sqrt(np.mean(squares, axis=0)) if squares else np.zeros(2)
        return float(shares[0]), float(shares[1])
