"""Overlays: models that hold only the changed attributes of another model's elements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...errors import MjcfKeyError
from ..schema.alternatives import ORIENTATIONS
from ..tree.kinds import model_class
from ..tree.outermost import DEFAULT
from ..write.form import Form

if TYPE_CHECKING:
    from ..tree.element import Element
    from .root import RootElement

_INERTIAL, _MOMENTS = 'inertial', 'fullinertia'
_EXCLUDED = {
    _MOMENTS: ('diaginertia', *ORIENTATIONS),
    'diaginertia': (_MOMENTS,),
    **dict.fromkeys(ORIENTATIONS, (_MOMENTS,)),
}
"""The attributes of <inertial> that MuJoCo refuses beside another."""


def overlay_of(model: RootElement, changed: Iterable[tuple[Element, str]]) -> RootElement:
    """Returns an overlay with attributes of a model, given as pairs of element and attribute.

    The overlay repeats the elements around them, with their names. `apply_overlay` sets the
    attributes in another copy of the model.
    """
    overlay: RootElement = model_class()(model=f'{model.model}_overlay')
    made: dict[int, Any] = {id(model): overlay}
    for element, attribute in changed:
        texts = dict(element._texts(Form()))
        _repeated(element, made)._accept(attribute, texts[attribute])
    return overlay


def _repeated(element: Element, made: dict[int, Any]) -> Any:
    """Returns the element's counterpart in the overlay, which is added if necessary."""
    if (found := made.get(id(element))) is not None:
        return found
    assert element._parent is not None
    parent = _repeated(element._parent, made)
    if element._always or (element.tag == DEFAULT and element._parent._is_root):
        counterpart = parent.get_children(element.tag)
    else:
        texts = dict(element._texts(Form()))
        kept = [element._key, *element._required]
        names = {key: texts[key] for key in kept if key and texts.get(key)}
        counterpart = parent.add(element.tag, **names)
    made[id(element)] = counterpart
    return counterpart


def apply_overlay(model: RootElement, overlay: RootElement) -> None:
    """Sets the attributes of an overlay in the elements of a model that have the same names.

    Elements are found by kind and name, wherever they are; <inertial> is added to bodies without
    one. Raises MjcfKeyError, without a change, for an element that the model does not have.
    """
    pairs = []
    for element in overlay.walk():
        texts = {k: text for k, text in element._texts(Form()) if k != element._key}
        if texts and not element._is_root:
            pairs.append((_counterpart(model, element), element, texts))
    for target, element, texts in pairs:
        if element.tag == _INERTIAL:
            _set_inertial(target, texts)
            continue
        for key, text in texts.items():
            setattr(target, key, text)


def _set_inertial(body: Any, texts: dict[str, str]) -> None:
    inertial = getattr(body, _INERTIAL)
    if inertial is None:
        body.add(_INERTIAL, **texts)
        return
    for key, text in texts.items():
        for each in _EXCLUDED.get(key, ()):
            if each not in texts:
                setattr(inertial, each, None)
        setattr(inertial, key, text)


def _counterpart(model: RootElement, element: Element) -> Any:
    """Returns the model's element for an element of an overlay; for <inertial>, its body."""
    parent = element._parent
    if parent is None:
        return model
    if element.tag == _INERTIAL:
        return _counterpart(model, parent)
    if element._always or (element.tag == DEFAULT and parent._is_root):
        return _counterpart(model, parent).get_children(element.tag)
    name, kind = element._name, element.spec.namespace
    found = model.find(kind, name) if name and kind else None
    if found is None or found.tag != element.tag:
        where = '' if element._location is None else f' ({element._location})'
        raise MjcfKeyError(f'{element}{where}: the model has no <{element.tag}> of this name')
    return found
