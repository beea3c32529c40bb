"""Turns the coordinates of a fit into the values and intervals of a result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .adjustable_model import AdjustableModel
from .parameter import Parameter
from .result import FittedParameter, Imperfection
from .sequences import Array
from .uncertainty import WITHIN_95, Uncertainty

_AT_BOUND = 1e-3
"""A value closer to a bound than this share of the range counts as at the bound."""
_STEP = 1e-5
"""The step of finite differences, in coordinates."""
_MOMENTS = 'ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'


def fitted_parameters(
    model: AdjustableModel,
    parameters: Sequence[Parameter],
    values: Sequence[float],
    errors: Uncertainty,
) -> tuple[list[FittedParameter], Array]:
    """Returns the parameters with their intervals, and the correlations of their errors.

    The ten coordinates of an inertia become the mass, the center of mass and the moments, whose
    errors follow from a linear approximation.
    """
    rows = [
        row
        for group in _groups(parameters)
        for row in (
            _body(model, parameters, values, errors, group)
            if len(group) > 1
            else [_single(parameters[group[0]], values[group[0]], errors, group[0])]
        )
    ]
    slopes = np.array([row.slopes for row in rows])
    covariance = slopes @ errors.covariance @ slopes.T
    scale = np.sqrt(np.diag(covariance))
    return [row.parameter for row in rows], covariance / np.outer(scale, scale)


@dataclass(frozen=True, slots=True)
class _Row:
    """A reported number, and its derivatives by the coordinates."""

    parameter: FittedParameter
    slopes: Array


def _groups(parameters: Sequence[Parameter]) -> Iterator[list[int]]:
    """Yields the places of the parameters; the ten of a body's inertia come as one group."""
    bodies: dict[str, list[int]] = {}
    for place, each in enumerate(parameters):
        if each.effect == 'inertia':
            bodies.setdefault(each.targets[0], []).append(place)
        else:
            yield [place]
    yield from bodies.values()


def _single(parameter: Parameter, value: float, errors: Uncertainty, place: int) -> _Row:
    half, center = float(errors.half_widths[place]), parameter.coordinate(value)
    determined = errors.determined[place]
    low, high = parameter.limits
    ends = [parameter.value(float(np.clip(center + s * half, low, high))) for s in (-1.0, 1.0)]
    return _Row(
        FittedParameter(
            name=parameter.name,
            places=_places(parameter),
            unit=parameter.unit,
            before=parameter.initial,
            after=value,
            low=ends[0] if determined else -np.inf,
            high=ends[1] if determined else np.inf,
            bounds=parameter.bounds,
            at_bound=_at_bound(parameter, value),
            identifiable=determined,
            imperfections=_imperfections(parameter),
        ),
        np.eye(1, len(errors.half_widths), place)[0],
    )


def _body(
    model: AdjustableModel,
    parameters: Sequence[Parameter],
    values: Sequence[float],
    errors: Uncertainty,
    places: Sequence[int],
) -> Iterator[_Row]:
    """Yields the numbers of an <inertial>."""
    first = parameters[places[0]]
    (body,) = first.targets

    def numbers(at: Array) -> Array:
        inertial = model.inertia(body).inertial(at)
        return np.array([inertial['mass'], *inertial['pos'], *inertial['fullinertia']])

    at = np.array([values[place] for place in places])
    after, before = numbers(at), numbers(np.array([parameters[p].initial for p in places]))
    columns = [(numbers(at + _STEP * row) - after) / _STEP for row in np.eye(len(places))]
    scales = np.array([parameters[place].slope(values[place]) for place in places])
    slopes = np.zeros((len(after), len(errors.half_widths)))
    slopes[:, places] = np.column_stack(columns) * scales
    halves = WITHIN_95 * np.sqrt(np.diag(slopes @ errors.covariance @ slopes.T))
    radius = float(np.sqrt(np.max(after[4:7]) / after[0]))
    sizes = [after[0], *[radius] * 3, *[float(np.max(after[4:7]))] * 6]
    names = [
        (f'{body}.mass', 'kg'),
        *((f'{body}.center.{axis}', 'm') for axis in 'xyz'),
        *((f'{body}.inertia.{moment}', 'kg m^2') for moment in _MOMENTS),
    ]
    bound = any(_at_bound(parameters[place], values[place]) for place in places)
    for k, (name, unit) in enumerate(names):
        determined = bool(halves[k] <= sizes[k])
        yield _Row(
            FittedParameter(
                name=name,
                places=_places(first),
                unit=unit,
                before=float(before[k]),
                after=float(after[k]),
                low=float(after[k] - halves[k]) if determined else -np.inf,
                high=float(after[k] + halves[k]) if determined else np.inf,
                bounds=(0.0 if k in (0, 4, 5, 6) else -np.inf, np.inf),
                at_bound=bound,
                identifiable=determined,
            ),
            slopes[k],
        )


def _at_bound(parameter: Parameter, value: float) -> bool:
    low, high = parameter.limits
    margin = _AT_BOUND * (high - low)
    return not low + margin < parameter.coordinate(value) < high - margin


def _places(parameter: Parameter) -> tuple[str, ...]:
    if parameter.effect == 'attribute':
        return parameter.targets
    if parameter.effect in ('mass', 'inertia'):
        return tuple(f'body:{body}.inertial' for body in parameter.targets)
    return ()


def _imperfections(parameter: Parameter) -> tuple[Imperfection, ...]:
    """Returns the effects with which the simulation has a delay or an offset."""
    if parameter.effect in ('command_delay', 'signal_delay'):
        return tuple(Imperfection(effect='latency', of=topic) for topic in parameter.targets)
    if parameter.effect == 'offset':
        return tuple(Imperfection(effect='offset', of={'joint': j}) for j in parameter.targets)
    return ()
