"""Draws values from distributions, reproducibly by seed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..config.wording import shown, unknown
from ..errors import ConfigError

Draw = Callable[[np.random.Generator, int, Any], Any]


def draw(name: str, given: object, count: int, seed: int, where: str) -> list[Any]:
    """Draws `count` values of the swept parameter `name` from the distribution `given`.

    Each name has its own random stream: adding or removing a distribution does not change the
    values of other names. Raises ConfigError for an unknown distribution, and for invalid
    arguments.
    """
    kind, arguments = _only(given, where)
    generator = np.random.default_rng([seed, zlib.crc32(name.encode())])
    place = f'{where}.{kind}'
    if kind == 'choice':
        if not isinstance(arguments, list | tuple) or not arguments:
            raise ConfigError(f'{place} must be a list of values, got {shown(arguments)}')
        return [arguments[index] for index in generator.integers(len(arguments), size=count)]
    first, second = _two_numbers(arguments, place)
    values = _NUMBERS[kind](generator, count, (place, first, second))
    drawn: list[Any] = values.tolist()
    return drawn


def is_distribution(given: object) -> bool:
    """Returns whether `given` is a distribution, and not a list of values."""
    return isinstance(given, Mapping)


def _only(given: object, where: str) -> tuple[str, Any]:
    if not isinstance(given, Mapping) or len(given) != 1:
        known = ', '.join(KINDS)
        raise ConfigError(
            f'{where} must be a struct with one distribution ({known}), got {shown(given)}'
        )
    ((kind, arguments),) = given.items()
    if kind not in KINDS:
        raise ConfigError(f'{where}: {unknown("distribution", str(kind), KINDS)}')
    return kind, arguments


def _two_numbers(given: object, place: str) -> tuple[float, float]:
    numbers = given if isinstance(given, list | tuple) else []
    fit = [isinstance(each, int | float) and not isinstance(each, bool) for each in numbers]
    if len(fit) != 2 or not all(fit) or not np.isfinite(np.asarray(numbers, float)).all():
        raise ConfigError(f'{place} must be a list of 2 finite numbers, got {shown(given)}')
    return numbers[0], numbers[1]


def _ordered(place: str, low: float, high: float) -> None:
    if low > high:
        raise ConfigError(f'{place} must have the lower bound first, got [{low:g}, {high:g}]')


def _uniform(generator: np.random.Generator, count: int, given: Any) -> Any:
    _, low, high = given
    _ordered(*given)
    return generator.uniform(low, high, size=count)


def _log_uniform(generator: np.random.Generator, count: int, given: Any) -> Any:
    place, low, high = given
    _ordered(*given)
    if low <= 0:
        raise ConfigError(f'{place} must have bounds above 0, got [{low:g}, {high:g}]')
    return np.exp(generator.uniform(np.log(low), np.log(high), size=count))


def _normal(generator: np.random.Generator, count: int, given: Any) -> Any:
    place, mean, deviation = given
    if deviation < 0:
        raise ConfigError(f'{place} must have a deviation of at least 0, got {deviation:g}')
    return generator.normal(mean, deviation, size=count)


def _integers(generator: np.random.Generator, count: int, given: Any) -> Any:
    place, low, high = given
    _ordered(*given)
    if int(low) != low or int(high) != high:
        raise ConfigError(f'{place} must have whole numbers, got [{low:g}, {high:g}]')
    return generator.integers(int(low), int(high), size=count, endpoint=True)


_NUMBERS: dict[str, Draw] = {
    'uniform': _uniform,
    'log_uniform': _log_uniform,
    'normal': _normal,
    'integers': _integers,
}
KINDS = (*_NUMBERS, 'choice')
"""The distributions, with their arguments: `uniform`, `log_uniform` and `integers` take
`[low, high]` (for integers, both ends are included), `normal` takes `[mean, deviation]`, and
`choice` takes a list of values."""
