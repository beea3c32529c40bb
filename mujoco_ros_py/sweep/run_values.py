"""Combines the grid, the cases and the samples into the values of each run."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from ..config.wording import shown
from ..errors import ConfigError
from .drawn_values import draw, is_distribution
from .scenarios import Scenarios

MAX_RUNS = 100_000
"""The maximum number of runs; more are treated as a mistake in the file."""
_OF_DISTRIBUTION = 'samples', 'seed'


def values_of_runs(scenarios: Scenarios) -> list[dict[str, Any]]:
    """Returns the values of each run by name, in order; one run if nothing varies.

    The last name of the grid changes fastest. Raises ConfigError for a faulty list or
    distribution, and for a name with values in two places.
    """
    axes = [
        [{name: value} for value in _axis(name, given)] for name, given in scenarios.vary.items()
    ]
    if scenarios.cases:
        axes.insert(0, [dict(case) for case in scenarios.cases])
    if scenarios.random is not None:
        axes.append(_samples(scenarios))
    _check_names(axes)
    axes = [_of_one_type(axis) for axis in axes]
    count = 1
    for axis in axes:
        count *= len(axis)
    if count > MAX_RUNS:
        raise ConfigError(f'a sweep can have at most {MAX_RUNS} runs, got {count}')
    return [_merged(parts) for parts in product(*axes)]


def _axis(name: str, given: Any) -> list[Any]:
    where = f'vary.{name}'
    if is_distribution(given):
        rest = {key: value for key, value in given.items() if key not in _OF_DISTRIBUTION}
        return draw(name, rest, _whole(given, 'samples', where, 1), _seed(given, where), where)
    if not isinstance(given, list | tuple) or not given:
        raise ConfigError(f'{where} must be a list of values or a struct, got {shown(given)}')
    return list(given)


def _of_one_type(axis: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Converts integers to floats for names that also have float values.

    This is necessary because a ROS parameter has a single type.
    """
    kinds: dict[str, set[type]] = {}
    for part in axis:
        for name, value in part.items():
            kinds.setdefault(name, set()).add(type(value))
    doubles = {name for name, found in kinds.items() if found == {int, float}}
    return [
        {name: float(value) if name in doubles else value for name, value in part.items()}
        for part in axis
    ]


def _samples(scenarios: Scenarios) -> list[dict[str, Any]]:
    random = scenarios.random
    assert random is not None
    columns = {
        name: draw(name, given, random.samples, random.seed, f'random.values.{name}')
        for name, given in random.values.items()
    }
    return [{name: column[k] for name, column in columns.items()} for k in range(random.samples)]


def _seed(given: Mapping[str, Any], where: str) -> int:
    return _whole({'seed': 0, **given}, 'seed', where, 0)


def _whole(given: Mapping[str, Any], key: str, where: str, least: int) -> int:
    value = given.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        told = 'nothing' if value is None else shown(value)
        raise ConfigError(f'{where}.{key} must be a whole number of at least {least}, got {told}')
    return value


def _check_names(axes: list[list[dict[str, Any]]]) -> None:
    seen: set[str] = set()
    for axis in axes:
        names = {name for part in axis for name in part}
        if twice := sorted(names & seen):
            raise ConfigError(f'{twice[0]!r} has values at two places in the file')
        seen |= names


def _merged(parts: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    return {name: value for part in parts for name, value in part.items()}
