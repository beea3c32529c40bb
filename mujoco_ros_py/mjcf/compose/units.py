"""Makes composed models agree on angle units and Euler sequences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..tree.element import Element
    from .root import RootElement

_OF_JOINTS = 'range', 'ref', 'springref'
_WITHOUT_ANGLES = 'slide', 'free'


def _has_angle(element: Element) -> bool:
    """Returns whether an element has a nonzero angle, whose meaning depends on the unit."""
    if _has_euler(element) or _some(element, 'axisangle', 3):
        return True
    joint = element.tag == 'joint' and element._values.get('type') not in _WITHOUT_ANGLES
    return joint and any(_some(element, key) for key in _OF_JOINTS)


def _has_euler(element: Element) -> bool:
    return _some(element, 'euler')


def _some(element: Element, key: str, begin: int = 0) -> bool:
    """Returns whether any number of an attribute, from position `begin`, is nonzero."""
    value = getattr(element, key) if key in element._values else None
    return value is not None and bool(np.any(np.atleast_1d(value)[begin:]))


_RULES: Mapping[str, tuple[str, Callable[[Element], bool]]] = {
    'angle': ('degree', _has_angle),
    'eulerseq': ('xyz', _has_euler),
}
"""The compiler's unit attributes, each with its default and a function that returns whether an
element depends on it."""


def agree(host: RootElement, guest: RootElement) -> None:
    """Raises ValueError if host and guest differ in a unit used by elements of both.

    The error names the first affected element of each model.
    """
    for key, (default, _) in _RULES.items():
        ours, theirs = getattr(host.compiler, key), getattr(guest.compiler, key)
        if (ours or default) == (theirs or default):
            continue
        if ours and theirs:
            raise ValueError(
                f'<compiler>: the models disagree on {key}: {ours} in the host,'
                f' {theirs} in the attached model'
            )
        concerned = _other(host, key, theirs), _first(_all(guest), key)
        if ours and concerned[1] and not host._lends_units:
            raise ValueError(
                f'<compiler>: {key} is {ours}, but the attached model uses the default {default},'
                f' and {concerned[1]} depends on it; set {key} in its <compiler>'
            )
        if all(concerned):
            raise ValueError(
                f'<compiler>: {key} is {ours or default} in the host and {theirs or default} in'
                f' the attached model, and both {concerned[0]} and {concerned[1]} depend on it'
            )


def choose(host: RootElement, guest: RootElement) -> None:
    """Sets the units that the guest needs in the host. Call `agree` first."""
    for key in _RULES:
        ours, theirs = getattr(host.compiler, key), getattr(guest.compiler, key)
        if theirs and theirs != ours and _other(host, key, theirs) is None:
            setattr(host.compiler, key, theirs)


def _other(host: RootElement, key: str, value: str | None) -> Element | None:
    """Returns an element in the host whose meaning would change if the host sets this value."""
    default, _ = _RULES[key]
    return _first(
        (
            part
            for part in _all(host)
            if part is host or (getattr(part.compiler, key) or default) != (value or default)
        ),
        key,
    )


def _all(model: RootElement) -> Iterable[RootElement]:
    return (model, *model.attachments_below())


def _first(parts: Iterable[RootElement], key: str) -> Element | None:
    _, matters = _RULES[key]
    return next((each for part in parts for each in part.walk() if matters(each)), None)
