"""Actuators whose defaults are for other kinds of actuators, in models with several <default>."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tree.inheritance import defaults_of
from ..tree.outermost import outermost

if TYPE_CHECKING:
    from .root import RootElement

_OF_ALL = 'general'
"""The kind of actuator that has what its class says, and of which all kinds have what it says."""
_INDIFFERENT = _OF_ALL, 'motor'
"""Kinds that have the same parameters whatever kind their class is for."""


def check_actuators(model: RootElement) -> None:
    """ValueError for an actuator that would have other parameters where models are attached.

    Where its class is for other kinds of actuators, MuJoCo takes its parameters from the outermost
    defaults, as they are at last. Those of attached models are classes, of which MuJoCo takes what
    they were when the class in them was made.
    """
    several = outermost(model)
    kinds = model.get_children('actuator')._types
    if not any(child.tag in kinds for each in several[1:] for child in each._children):
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
