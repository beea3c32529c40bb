"""Rejects actuators whose default class is for other kinds of actuators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tree.inheritance import defaults_of, is_said
from ..tree.outermost import outermost

if TYPE_CHECKING:
    from .root import RootElement

_OF_ALL = 'general'
"""The actuator kind that inherits from sections of all kinds, and from which all kinds inherit."""
_INDIFFERENT = _OF_ALL, 'motor'
"""Actuator kinds whose inherited parameters do not depend on the kinds in their class."""


def check_actuators(model: RootElement) -> None:
    """Raises ValueError for an actuator whose parameters would change in a composed model.

    If a class is for other kinds of actuators, MuJoCo takes the parameters from the outermost
    defaults, with the values that they have at the end of the file. In a composed model, the
    outermost defaults of each model become a class, and MuJoCo takes the values that this class
    had when the actuator's class was created.
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
                f'{actuator}: its class is for other kinds of actuators, but a later <default> of'
                f' model {model.model!r} applies to all kinds; give the actuator its own class'
                ' before attaching models'
            )
