"""Writes the masses of a model scaled by a factor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tree.outermost import outermost
from ..write.form import Form, Texts
from ..write.number_text import number_text

if TYPE_CHECKING:
    from ..tree.element import Element
    from .root import RootElement

Weigh = Callable[[Any, Texts, Form], Texts]
_MASSES: Mapping[str, Mapping[str, float | None]] = {
    'geom': {'mass': None, 'density': None},
    'inertial': {'mass': None, 'diaginertia': None, 'fullinertia': None},
    'flexcomp': {'mass': 1.0},
}
"""The attributes that mass and inertia are proportional to, and the values that MuJoCo takes where
they are not set. For the density of geoms that value is the one in the outermost defaults."""
_DENSITY = 1000.0
"""The density of geoms where none is set, in kg/m^3."""


def make_room(model: RootElement) -> None:
    """Adds the outermost defaults that are needed to set the density of geoms that set none."""
    model.get_children('default')
    outermost(model)[0].get_children('geom')


def times(factor: float) -> Weigh:
    """Returns the function that writes a model's elements with their masses times the factor."""
    return partial(_scaled, factor)


def _scaled(factor: float, element: Any, texts: Texts, form: Form) -> Texts:
    if element.tag not in _MASSES:
        return texts
    found = dict(texts)
    for key, usual in _MASSES[element.tag].items():
        value = getattr(element, key)
        if value is None:
            value = _DENSITY if key == 'density' and _holds_for_all(element) else usual
        if value is not None:
            numbers = (factor * np.atleast_1d(value)).tolist()
            found[key] = ' '.join(number_text(number, form) for number in numbers)
    return list(found.items())


def _holds_for_all(geom: Element) -> bool:
    return geom._parent is outermost(geom.root)[0]
