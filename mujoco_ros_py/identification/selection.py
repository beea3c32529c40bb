"""Selects the parameters to fit, from the sets and from the file of parameters."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from ..config.wording import listed
from ..errors import ConfigError, MjcfError
from ..mjcf import RootElement, element_of_place, get_place
from .attributes import attribute_parameter, bounds_around, number_place
from .options import FitOptions, FittedValue
from .parameter import Parameter
from .sets import Measured, Sets


def parameters_of_fit(
    root: RootElement, model: mujoco.MjModel, options: FitOptions, measured: Measured
) -> list[Parameter]:
    """Returns the parameters to fit, first from the sets and then from the file.

    Raises ConfigError for a set without parameters, an unknown or ambiguous attribute, and a
    pattern that matches nothing.
    """
    sets = Sets(root, model, options.only, measured)
    found: dict[str, Parameter] = {}
    for asked in options.fit:
        of_set = list(sets.functions[asked]())
        if not of_set:
            raise ConfigError(f'fit: {asked}: {sets.reason(asked)}')
        found.update((each.name, each) for each in of_set)
    if unused := sets.unused():
        known = listed(sorted(sets.asked), 12)
        raise ConfigError(f'only: {unused[0]!r} matches no element of the sets; known: {known}')
    for name, value in options.fitted_values().items():
        found[name] = _of_file(root, name, value, found.get(name))
    if not found:
        raise ConfigError(
            f'nothing to fit: name sets with fit ({listed(list(sets.functions), 8)})'
        )
    _check_overlap(found.values())
    return list(found.values())


def _of_file(
    root: RootElement, name: str, given: FittedValue, of_set: Parameter | None
) -> Parameter:
    """Returns the parameter of an entry of `values`, which can change a parameter of a set.

    Raises ConfigError for an unknown attribute, and for an initial value outside the bounds.
    """
    where = f'values.{name}'
    if of_set is None:
        places = []
        value = given.initial
        for place in given.of or (name,):
            there, place = _number(root, where, place)
            places.append(place)
            value = there if value is None else value
        if value is None:
            raise ConfigError(f'{where}: initial must be given: {places[0]} has no value')
        if not given.bounds and value == 0.0:
            raise ConfigError(f'{where}: bounds must be given, as the initial value is 0')
        of_set = attribute_parameter(places[0], value, given.bounds or bounds_around(value), '')  # type: ignore[arg-type]
        of_set = replace(of_set, name=name, targets=tuple(places))
    elif given.of:
        raise ConfigError(f'{where}: of cannot be given for a value of a set')
    initial = of_set.initial if given.initial is None else given.initial
    low, high = given.bounds or of_set.bounds
    if not low <= initial <= high:
        raise ConfigError(
            f'{where}: initial must be from {low:g} to {high:g} (bounds), got {initial:g}'
        )
    logarithmic = low > 0.0 if given.scale == 'auto' else given.scale == 'log'
    if logarithmic and low <= 0.0:
        raise ConfigError(f'{where}: scale: log needs positive bounds, got [{low:g}, {high:g}]')
    prior = None if given.prior is None else (given.prior.mean, given.prior.stddev)
    return replace(
        of_set, initial=initial, bounds=(low, high), logarithmic=logarithmic, prior=prior
    )


def _number(root: RootElement, where: str, place: str) -> tuple[float | None, str]:
    """Returns the number at a place, and the place with the index that it needs.

    Raises ConfigError if there cannot be a number.
    """
    try:
        element_of_place(root, place)
        place = number_place(root, place)
        value: Any = get_place(root, place)
    except MjcfError as error:
        raise ConfigError(f'{where}: {error}') from None
    if value is None:
        return None, place
    if isinstance(value, str | bool) or np.size(value) != 1:
        raise ConfigError(
            f'{where}: {place} must be one number; give an index, such as {place}[0]'
            if np.size(value) > 1
            else f'{where}: {place} is {value!r}, not a number'
        )
    number = float(np.ravel(value)[0])
    return number if math.isfinite(number) else None, place


def _check_overlap(parameters: Any) -> None:
    """Raises ConfigError if two parameters set one number."""
    owners: dict[tuple[str, int], str] = {}
    for each in parameters:
        kind = 'inertial' if each.effect in ('mass', 'inertia') else each.effect
        for target in each.targets:
            key = f'{kind} of {target}', each.component
            if key in owners:
                raise ConfigError(f'{each.name} and {owners[key]} both set {target}')
            owners[key] = each.name
