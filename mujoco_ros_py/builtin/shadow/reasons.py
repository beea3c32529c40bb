"""Fits hypotheses to the residuals of several predictions."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...config import unknown
from ...errors import ConfigError
from .model_numbers import Number
from .predictions import Prediction, Run
from .shadow_config import Hypothesis

Array = np.ndarray[Any, np.dtype[np.float64]]
_FRICTION = 'dof_damping', 'dof_frictionloss'
_FIRST = {'payload': 0.05, 'friction': 0.25, 'force': 1.0}
"""The first steps in kg, in parts of the friction, and in N, whose effects are computed."""
_LARGEST = 100.0
"""The largest step, in first steps."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """A hypothesis with the numbers that fit best."""

    name: str
    text: str
    """The numbers with units, such as `0.52 kg`."""
    explained: float
    """The part of the squared residuals, in units of their deviations, that it explains."""
    score: float
    """The fall of the squared residuals, less the number of fitted numbers (BIC)."""


class Reasons:
    """The hypotheses, and the predictions that they are fitted to."""

    def __init__(
        self,
        hypotheses: Mapping[str, Hypothesis],
        model: mujoco.MjModel,
        prefix: str,
        joints: Mapping[str, int],
        memory: int,
    ) -> None:
        """Raises ConfigError for names that the model does not have."""
        self._hypotheses = dict(hypotheses)
        self._kept: deque[tuple[Array, list[Array]]] = deque(maxlen=memory)
        self._units: list[list[Run]] = []
        self._scales = [_FIRST[each.kind] for each in self._hypotheses.values()]
        for name, each in self._hypotheses.items():
            try:
                self._units.append(_units(each, model, prefix, joints))
            except ConfigError as error:
                raise ConfigError(f'hypotheses.{name}: {error}') from None

    @property
    def runs(self) -> list[list[Run]]:
        """The variations of each hypothesis, one for each of its numbers.

        They are as large as the numbers fitted last, because the effects are not linear: friction
        holds a small load.
        """
        return [
            [_scaled(unit, scale) for unit in units]
            for units, scale in zip(self._units, self._scales, strict=True)
        ]

    def clear(self) -> None:
        """Forgets all predictions."""
        self._kept.clear()

    def add(self, prediction: Prediction) -> None:
        """Adds a prediction; residuals and effects are divided by their deviations."""
        root = np.linalg.cholesky(prediction.covariance)
        effects = [
            np.linalg.solve(root, each) / scale
            for each, scale in zip(prediction.effects, self._scales, strict=True)
        ]
        self._kept.append((np.linalg.solve(root, prediction.residual), effects))

    def best(self) -> Reason | None:
        """Returns the hypothesis that explains most; None if all explain nothing."""
        if not self._kept:
            return None
        residuals = np.concatenate([each for each, _ in self._kept])
        fits = (
            self._fit(index, name, each, residuals)
            for index, (name, each) in enumerate(self._hypotheses.items())
        )
        ordered = sorted(fits, key=lambda fit: -fit.score)
        return ordered[0] if ordered and ordered[0].score > 0.0 else None

    def _fit(self, index: int, name: str, hypothesis: Hypothesis, residuals: Array) -> Reason:
        effects = np.vstack([each[index] for _, each in self._kept])
        amounts, *_ = np.linalg.lstsq(effects, residuals, rcond=None)
        if hypothesis.kind != 'force':
            amounts = np.maximum(amounts, -1.0 if hypothesis.kind == 'friction' else 0.0)
        first = _FIRST[hypothesis.kind]
        self._scales[index] = float(np.clip(np.linalg.norm(amounts), first, first * _LARGEST))
        total = float(residuals @ residuals)
        rest = residuals - effects @ amounts
        fall = total - float(rest @ rest)
        score = fall - amounts.size * math.log(residuals.size)
        text = _text(hypothesis, amounts)
        return Reason(name=name, text=text, explained=fall / total if total else 0.0, score=score)


def _scaled(unit: Run, scale: float) -> Run:
    if unit.force is not None:
        body, force = unit.force
        return Run(force=(body, scale * force))
    return Run(changes=[(number, scale * change) for number, change in unit.changes])


def _text(hypothesis: Hypothesis, amounts: Any) -> str:
    if hypothesis.kind == 'payload':
        return f'{amounts[0]:.3g} kg at {hypothesis.body}'
    if hypothesis.kind == 'friction':
        return f'{1.0 + amounts[0]:.3g} times the friction'
    told = ', '.join(f'{each:.3g}' for each in amounts)
    return f'{np.linalg.norm(amounts):.3g} N at {hypothesis.body} ({told} in the world)'


def _units(
    hypothesis: Hypothesis, model: mujoco.MjModel, prefix: str, joints: Mapping[str, int]
) -> list[Run]:
    """Returns a variation for a unit of each number of a hypothesis."""
    if hypothesis.kind == 'friction':
        return [Run(changes=_more_friction(model, hypothesis.joints or tuple(joints), joints))]
    body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, f'{prefix}{hypothesis.body}')
    if body <= 0:
        names = [model.body(number).name for number in range(1, model.nbody)]
        known = [name.removeprefix(prefix) for name in names if name.startswith(prefix)]
        raise ConfigError(unknown('body', hypothesis.body, known))
    if hypothesis.kind == 'payload':
        return [Run(changes=[(Number('body_mass', body, 0, 1.0), 1.0)])]
    return [Run(force=(body, axis)) for axis in np.eye(3)]


def _more_friction(
    model: mujoco.MjModel, chosen: Sequence[str], joints: Mapping[str, int]
) -> list[tuple[Number, float]]:
    changes: list[tuple[Number, float]] = []
    for name in chosen:
        if name not in joints:
            raise ConfigError(unknown('joint', name, joints))
        dof = int(model.jnt_dofadr[joints[name]])
        for field in _FRICTION:
            values = np.ravel(getattr(model, field)[dof])
            changes += [
                (Number(field, dof, index, 1.0), float(value))
                for index, value in enumerate(values)
                if value
            ]
    if not changes:
        raise ConfigError(f'no joint has damping or frictionloss: {", ".join(chosen)}')
    return changes
