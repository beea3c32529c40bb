"""Finds the outermost default classes of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .element import Element

DEFAULT = 'default'


def outermost(model: Element) -> list[Element]:
    """Returns the outermost default classes; the last one applies to elements without a class."""
    return [each for each in model._children if each.tag == DEFAULT]


def around(default: Element) -> Element | None:
    """Returns the default class whose values MuJoCo copied into this class, or None."""
    above = default._parent
    if above is None or not above._is_root:
        return above
    earlier = [each for each in outermost(above) if each not in (default, *later(default))]
    return earlier[-1] if earlier else None


def later(default: Element) -> list[Element]:
    """Returns the outermost default classes of a model after this one."""
    assert default._parent is not None
    every = outermost(default._parent)
    return every[every.index(default) + 1 :]
