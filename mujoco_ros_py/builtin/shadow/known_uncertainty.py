"""Reads the uncertainty of a fitted model from `result.json`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from ...errors import ConfigError
from .model_numbers import Number, numbers_of

Array = np.ndarray[Any, np.dtype[np.float64]]
_HALF_OF_95_PERCENT = 1.959964
_FORMAT = 1


@dataclass(kw_only=True, slots=True)
class Uncertainty:
    """The noise of signals, and the joint distribution of the errors of parameters."""

    noise: dict[tuple[str, str], float] = field(default_factory=dict)
    """Standard deviations by quantity and joint."""
    changes: list[list[tuple[Number, float]]] = field(default_factory=list)
    """The changes of the model by one standard deviation of each parameter."""
    correlation: Array = field(default_factory=lambda: np.zeros((0, 0)))
    left_out: list[str] = field(default_factory=list)
    """Parameters without an interval, or without numbers in the compiled model."""


def uncertainty_of(path: str, model: mujoco.MjModel, prefix: str) -> Uncertainty:
    """Reads a file; names in the model have the prefix. Raises ConfigError."""
    try:
        struct = json.loads(Path(path).read_text())
        if struct['format'] != _FORMAT:
            raise ConfigError(f'result: {path}: format must be {_FORMAT}')
        return _uncertainty(struct, model, prefix)
    except OSError as error:
        raise ConfigError(f'result: {path}: {error.strerror or error}') from None
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f'result: {path} is no result.json: {error}') from None


def _uncertainty(struct: Any, model: mujoco.MjModel, prefix: str) -> Uncertainty:
    found = Uncertainty()
    found.noise = {
        (each['quantity'], each['name']): float(each['std'])
        for each in struct['noise']
        if each['std']
    }
    kept = []
    for index, parameter in enumerate(struct['parameters']):
        changes = _changes(parameter, struct['edits'], model, prefix)
        if changes:
            kept.append(index)
            found.changes.append(changes)
        else:
            found.left_out.append(parameter['name'])
    matrix = np.array(struct['correlation'], dtype=float).reshape(len(struct['parameters']), -1)
    found.correlation = np.nan_to_num(matrix[np.ix_(kept, kept)])
    return found


def _changes(
    parameter: Any, edits: Any, model: mujoco.MjModel, prefix: str
) -> list[tuple[Number, float]]:
    low, high = parameter['interval']
    if low is None or high is None:
        return []
    deviation = (high - low) / 2.0 / _HALF_OF_95_PERCENT
    changes = []
    for place in parameter['places']:
        edit, after = edits.get(place), parameter['after']
        ratio = edit / after if isinstance(edit, int | float) and after else 1.0
        numbers = numbers_of(model, f'{prefix}{place}')
        changes += [(number, deviation * ratio) for number in numbers]
    return changes
