"""Writes the result of an identification as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from ... import __version__
from ..result import FittedParameter, JudgedSequence, Result, Trace
from ..sequences import Source

FORMAT = 1
"""The version of the file's keys; it increases if a key changes its meaning."""
_PART = 1 << 20


def result_text(
    result: Result,
    *,
    model: str,
    files: Iterable[Path],
    edits: Mapping[str, Any],
    not_in_urdf: Iterable[str] = (),
) -> str:
    """Returns the text of `result.json`; numbers that are infinite or not numbers are null."""
    struct = {
        'format': FORMAT,
        'versions': {'mujoco_ros_py': __version__, 'mujoco': mujoco.__version__},
        'model': model,
        'files': [_file(path) for path in files],
        'parameters': [_parameter(each) for each in result.parameters],
        'correlation': np.asarray(result.correlation).tolist(),
        'noise': [{**_source(key), 'std': std} for key, std in result.noise.items()],
        'sequences': [_sequence(each, result.noise) for each in result.sequences],
        'directions': [
            {'weights': dict(each.weights), 'advice': each.advice} for each in result.directions
        ],
        'warnings': list(result.warnings),
        'edits': edits,
        'not_in_urdf': list(not_in_urdf),
        'iterations': result.iterations,
        'wall_s': result.wall_s,
    }
    return json.dumps(_finite(struct), indent=2, allow_nan=False) + '\n'


def residual_rms(trace: Trace, values: Any) -> float:
    """Returns the root mean square of the differences to the measured signal, in its unit."""
    return float(np.sqrt(np.mean(np.square(np.asarray(values) - trace.measured))))


def _file(path: Path) -> dict[str, str]:
    digest = hashlib.sha256()
    with path.open('rb') as file:
        while part := file.read(_PART):
            digest.update(part)
    return {'name': str(path), 'sha256': digest.hexdigest()}


def _parameter(parameter: FittedParameter) -> dict[str, Any]:
    return {
        'name': parameter.name,
        'places': list(parameter.places),
        'imperfections': [{'effect': e.effect, 'of': e.of} for e in parameter.imperfections],
        'unit': parameter.unit,
        'before': parameter.before,
        'after': parameter.after,
        'interval': [parameter.low, parameter.high],
        'bounds': list(parameter.bounds),
        'at_bound': parameter.at_bound,
        'identifiable': parameter.identifiable,
    }


def _source(source: Source) -> dict[str, Any]:
    return {'quantity': source.quantity, 'name': source.name, 'component': source.component}


def _sequence(judged: JudgedSequence, noise: Mapping[Source, float]) -> dict[str, Any]:
    sequence = judged.sequence
    return {
        'name': sequence.name,
        'begin': sequence.begin,
        'end': sequence.end,
        'held_out': sequence.held_out,
        'error_before': judged.error_before,
        'error_after': judged.error_after,
        'signals': [
            {
                **_source(trace.source),
                'samples': len(trace.times),
                'rms_before': residual_rms(trace, trace.before),
                'rms_after': residual_rms(trace, trace.after),
            }
            for trace in judged.traces
        ],
    }


def _finite(value: Any) -> Any:
    """Returns a value for JSON: with null for infinite numbers, and lists for arrays."""
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value
