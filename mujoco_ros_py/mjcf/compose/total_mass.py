"""Writes models with a total mass as parts of a composed model.

MuJoCo would scale the mass of the whole composed model. Each model is therefore written with
already scaled masses, and the composed model sets no total mass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from ...errors import MjcfError
from ..files.export import contents_by_name
from ..tree.outermost import outermost
from ..tree.placed import Placed
from ..write.form import Form, Texts
from ..write.number_text import number_text
from ..write.writer import write

if TYPE_CHECKING:
    from ..tree.element import Element
    from .root import RootElement

_HAVE_MASS = 'compiler', 'option', 'size', 'extension', 'default', 'asset', 'worldbody'
"""The sections that are needed to compute the mass."""
_HAVE_NONE = 'camera', 'light'
"""Elements of bodies that refer to other elements and have no mass."""
_EXACT = 1e-9
"""The allowed relative difference between our scaled masses and MuJoCo's."""
_Weigh = Callable[[Any, Texts, Form], Texts]
_MASSES: Mapping[str, Mapping[str, float | None]] = {
    'geom': {'mass': None, 'density': None},
    'inertial': {'mass': None, 'diaginertia': None, 'fullinertia': None},
    'flexcomp': {'mass': 1.0},
}
"""The attributes proportional to mass and inertia, each with the value that is scaled if the
attribute is not set. With None, an attribute that is not set is not written either."""
_DENSITY = 1000.0
"""MuJoCo's default density of geoms in kg/m^3, which is scaled in the outermost defaults."""


def scale_masses(models: list[RootElement], form: Form) -> None:
    """Prepares `form` to write models that set a total mass with scaled masses.

    Each of these models is compiled alone to find its mass before scaling. Raises MjcfError if
    this fails, or if its masses are not proportional to the masses set in its elements.
    """
    for model in models:
        total = getattr(model.compiler, 'settotalmass', None) if _says_compiler(model) else None
        if total is not None and total > 0 and (factor := _factor(model, total)) is not None:
            _make_room(model)
            form.weigh[id(model)] = _times(factor)


def _says_compiler(model: RootElement) -> bool:
    return any(section.tag == 'compiler' for section in model._children)


def _factor(model: RootElement, total: float) -> float | None:
    """Returns the scale factor for a model's masses, or None if the model has no mass."""
    alone = _alone(model)
    alone.compiler.settotalmass = None
    form = Form(filenames='hashed', prefix_root=alone)
    before = _compiled(model, alone, form)
    mass = before.body_mass[1:].sum()
    if mass <= 0:
        return None
    factor = float(total / mass)
    _make_room(alone)
    after = _compiled(model, alone, replace(form, weigh={id(alone): _times(factor)}))
    for body in range(1, before.nbody):
        was = np.array([before.body_mass[body], *before.body_inertia[body]])
        now = np.array([after.body_mass[body], *after.body_inertia[body]])
        if not np.allclose(now, factor * was, rtol=_EXACT, atol=0):
            raise MjcfError(
                f'model {model.model!r} is attached, or has models attached, and sets'
                f' settotalmass, but the mass of body {before.body(body).name or body!r} does not'
                ' follow from its elements (boundmass, <attach>); set the masses in the elements'
                ' instead'
            )
    return factor


def _alone(model: RootElement) -> RootElement:
    """Returns a copy with everything that affects the mass, without the attached models."""
    alone = copy(model)
    for attached in list(alone.attachments()):
        attached.detach()
    alone._children = [each for each in alone._children if each.tag in _HAVE_MASS]
    for element in alone.walk():
        element._children = [each for each in element._children if each.tag not in _HAVE_NONE]
        for reference in element._references:
            kept: Any = element._values.get(reference.key)
            if isinstance(kept, Placed) and kept.root is not alone:
                del element._values[reference.key]
    return alone


def _compiled(model: RootElement, alone: RootElement, form: Form) -> mujoco.MjModel:
    try:
        return mujoco.MjModel.from_xml_string(write(alone, form), contents_by_name(alone, form))
    except ValueError as error:
        raise MjcfError(
            f'model {model.model!r} is attached, or has models attached, and sets settotalmass;'
            f' this requires compiling the model alone, which failed: {error}'
        ) from error


def _make_room(model: RootElement) -> None:
    """Adds default geoms to the outermost defaults, because the density is scaled there."""
    model.get_children('default')
    outermost(model)[0].get_children('geom')


def _times(factor: float) -> _Weigh:
    """Returns the function that scales the masses of a model's elements while writing."""
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
