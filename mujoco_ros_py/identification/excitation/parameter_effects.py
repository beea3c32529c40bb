"""The effects of fitted parameters on the efforts of motions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import ConfigError
from ..adjustable_model import AdjustableModel
from ..parameter import Parameter
from ..sequences import Array
from .inverse_dynamics import Efforts, barycentric
from .sines import Motion

_STEP = 1e-4
"""The step of finite differences, in coordinates of parameters."""
_SLOW = 0.1
"""The share of the largest velocity below which friction changes its direction smoothly."""


class ParameterEffects:
    """The derivatives of efforts by the coordinates of parameters."""

    def __init__(
        self, model: AdjustableModel, parameters: Sequence[Parameter], dofs: list[int]
    ) -> None:
        """Raises ConfigError if a parameter has no effect on efforts."""
        values = [each.initial for each in parameters]
        before = _numbers(model.compiled(parameters, values), dofs)
        columns = []
        for place, each in enumerate(parameters):
            center = each.coordinate(each.initial)
            step = _STEP if center + _STEP <= each.limits[1] else -_STEP
            moved = [*values]
            moved[place] = each.value(center + step)
            after = _numbers(model.compiled(parameters, moved), dofs)
            columns.append(
                [(one - other) / step for one, other in zip(after, before, strict=True)]
            )
            if not any(np.any(part) for part in columns[-1]):
                raise ConfigError(
                    f'{each.name} has no effect on efforts at given motions; motions are designed'
                    ' for friction, armature, masses and inertia'
                )
        model.compiled(parameters, values)
        parts = [np.array(part).T for part in zip(*columns, strict=True)]
        self._inertial, self._damping, self._friction, self._armature = parts

    def jacobian(self, motion: Motion, efforts: Efforts) -> Array:
        """Returns the derivatives: times, joints, parameters."""
        slow = _SLOW * np.max(np.abs(motion.v), axis=0)
        signs = np.tanh(motion.v / np.maximum(slow, 1e-9))
        found: Array = efforts.regressor @ self._inertial
        for values, effects in (
            (motion.v, self._damping), (signs, self._friction), (motion.a, self._armature),
        ):  # fmt: skip
            found = found + values[:, :, None] * effects
        return found


def _numbers(model: Any, dofs: list[int]) -> list[Array]:
    """Returns the numbers of a model on which efforts depend linearly."""
    damping = model.dof_damping.reshape(model.nv, -1)[dofs, 0]
    return [
        barycentric(model).ravel(),
        damping.copy(),
        model.dof_frictionloss[dofs].copy(),
        model.dof_armature[dofs].copy(),
    ]
