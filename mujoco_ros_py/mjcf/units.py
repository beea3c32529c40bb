"""What numbers mean in a model: units of angles, sequences of Euler angles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .element import Element
    from .root import RootElement

_OF_JOINTS = 'range', 'ref', 'springref'
_WITHOUT_ANGLES = 'slide', 'free'


def _has_angle(element: Element) -> bool:
    if 'euler' in element._values or 'axisangle' in element._values:
        return True
    joint = element.tag == 'joint' and element._values.get('type') not in _WITHOUT_ANGLES
    return joint and any(key in element._values for key in _OF_JOINTS)


def _has_euler(element: Element) -> bool:
    return 'euler' in element._values


_RULES: Mapping[str, tuple[str, Callable[[Element], bool]]] = {
    'angle': ('degree', _has_angle),
    'eulerseq': ('xyz', _has_euler),
}
"""Attributes of compiler: what holds where none is set, and for which elements it matters."""


def agree(host: RootElement, guest: RootElement) -> None:
    """Makes what numbers mean in the host what they mean in a model that is to be attached.

    Where that would change numbers of the host, or the host's those of the guest, ValueError is
    raised instead, which names the first of them.
    """
    for key, (default, matters) in _RULES.items():
        ours, theirs = getattr(host.compiler, key), getattr(guest.compiler, key)
        if (ours or default) == (theirs or default):
            continue
        if ours and theirs:
            raise ValueError(
                f'<compiler>: the models disagree on {key}: {ours} and, attached, {theirs}'
            )
        concerned = [_first(model, matters) for model in (host, guest)]
        if all(concerned):
            raise ValueError(
                f'<compiler>: {key} is {ours or default} and, attached, {theirs or default}:'
                f' both {concerned[0]} and {concerned[1]} depend on it'
            )


def choose(host: RootElement, guest: RootElement) -> None:
    """After `agree`: sets in the host what the guest needs."""
    for key, (_, matters) in _RULES.items():
        theirs = getattr(guest.compiler, key)
        if theirs and _first(host, matters) is None:
            setattr(host.compiler, key, theirs)


def _first(model: RootElement, matters: Callable[[Element], bool]) -> Element | None:
    for part in (model, *model.attachments_below()):
        for element in part.walk():
            if matters(element):
                return element
    return None
