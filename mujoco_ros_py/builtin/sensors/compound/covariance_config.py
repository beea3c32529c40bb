"""Covariances that a configuration gives in place of those of the noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors import ConfigError


def check_covariance(name: str, given: tuple[float, ...]) -> None:
    """Raises ConfigError unless a covariance has nine numbers or none."""
    if len(given) not in (0, 9):
        raise ConfigError(f'{name} must have 9 numbers or none, got {len(given)}')


def covariance_fields(given: tuple[float, ...]) -> dict[str, Any]:
    """Returns fields of the state: whether a covariance is `given`, and its nine numbers."""
    return {'given': bool(given), 'covariance': np.array(given or (0.0,) * 9)}
