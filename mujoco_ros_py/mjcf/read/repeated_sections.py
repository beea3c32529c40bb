"""Merges default sections that occur several times in a text, like MuJoCo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..attributes.occurrences import go_on
from ..tree.outermost import DEFAULT, outermost

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..tree.element import Element


def join_defaults(model: RootElement) -> None:
    """Merges the <default> sections of a read model if this does not change the meaning."""
    first: Element | None = None
    for each in outermost(model):
        if first is not None and _can_take(first, each):
            model._children.remove(each)
            _take(first, each)
        else:
            first = each


def _can_take(first: Element, other: Element) -> bool:
    said = [each.tag for each in other._children if each.tag != DEFAULT]
    if not said:
        return True
    if any(each.tag == DEFAULT for each in first._children):
        return False
    actuators = first.root.get_children('actuator')._types  # MuJoCo uses the last one per tag
    ours = [each.tag for each in first._children if each.tag in actuators]
    return not any(tag in ours for tag in said)


def _take(first: Element, other: Element) -> None:
    """Moves the content of `other` to the end of `first`, and merges sections that both have."""
    go_on(type(first), first._values, other._values)
    if first._name:
        first._rename(None, first._name)
    for child in other._children:
        same = next((each for each in first._children if type(each) is type(child)), None)
        if same is None or child._repeated:
            child._parent = first
            first._children.append(child)
        else:
            _take(same, child)
    source = other._source
    assert source is not None  # `other` was read from text
    source.merged.append((other._start, first))
    if first._source is source:
        first._stop = other._stop
