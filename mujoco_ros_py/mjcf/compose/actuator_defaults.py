"""Refuses actuators whose default class is meant for other kinds of actuators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tree.inheritance import defaults_of, is_said
from ..tree.outermost import outermost

if TYPE_CHECKING:
    from .root import RootElement

_OF_ALL = 'general'
"""The kind of actuator that takes all parameters of its class, and from which all kinds take
theirs."""
_INDIFFERENT = _OF_ALL, 'motor'
"""The kinds of actuators that have the same parameters whatever kind their class is meant for."""


def check_actuators(model: RootElement) -> None:
    """Raises ValueError for an actuator that would change its parameters in a composed model.

    Where a class is meant for other kinds of actuators, MuJoCo takes the parameters from the final
    outermost defaults. The outermost defaults of attached models become classes, from which MuJoCo
    takes what they contained when the inner class was made.
    """
    several = outermost(model)
    kinds = model.get_children('actuator')._types
    later = (child for each in several[1:] for child in each._children)
    if not any(child.tag in kinds and is_said(child) for child in later):
        return
    for actuator in model.get_children('actuator')._children:
        if actuator.tag in _INDIFFERENT:
            continue
        sections = list(defaults_of(actuator))
        is_of_last = any(each._parent is several[-1] for each in sections)
        if not is_of_last and any(each.tag not in (actuator.tag, _OF_ALL) for each in sections):
            raise ValueError(
                f'{actuator}: its class is for other kinds of actuators, and a later <default> of'
                f' model {model.model!r} is for all: give it a class of its own before models are'
                ' attached'
            )
