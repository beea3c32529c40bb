"""Writes fitted delays and offsets as a list of plugins with `mujoco_ros_py/Imperfections`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from ..result import FittedParameter, Imperfection, Result
from .written_numbers import half_width, rounded

_NOT_IN_NAMES = re.compile('[^A-Za-z0-9_]+')
_DELAYS = 'latency', 'delay'
_HEAD = """\
# Fitted delays and offsets. Append this entry to the list of plugins, behind the plugins whose
# topics it delays.
"""


def imperfections_text(result: Result) -> str | None:
    """Returns the text of `imperfections.yaml`; None if the fit has no delays or offsets.

    Delays that are not above 0 are left out, because messages cannot be early.
    """
    timeline: dict[str, dict[str, Any]] = {}
    for parameter in result.parameters:
        for effect in parameter.imperfections:
            entry = _entry(parameter, effect)
            if entry is not None:
                timeline[_unused(parameter.name, timeline)] = entry
    if not timeline:
        return None
    plugins = [{'type': 'mujoco_ros_py/Imperfections', 'timeline': timeline}]
    return _HEAD + yaml.safe_dump(plugins, sort_keys=False)


def _entry(parameter: FittedParameter, told: Imperfection) -> dict[str, Any] | None:
    value = rounded(parameter.after, half_width(parameter))
    if told.effect in _DELAYS and value <= 0:
        return None
    of = dict(told.of) if isinstance(told.of, Mapping) else told.of
    return {'of': of, told.effect: value}


def _unused(name: str, taken: Mapping[str, object]) -> str:
    """Returns an entry's name with letters, digits and underscores that is not taken."""
    word = _NOT_IN_NAMES.sub('_', name).strip('_') or 'entry'
    found, count = word, 1
    while found in taken:
        count += 1
        found = f'{word}_{count}'
    return found
