"""The gravity of a model."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco

from .edit import Edit, ModelChange
from .given_numbers import finite


def set_gravity(model: mujoco.MjModel, gravity: Sequence[float], edit: Edit) -> str:
    """Sets the gravity in m/s^2, in the world; returns what was done.

    Raises ConfigError for numbers that are not finite.
    """
    model.opt.gravity[:] = finite('gravity', gravity)
    edit.changed(ModelChange('gravity'))
    return 'gravity set'
