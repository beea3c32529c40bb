"""Merges the sections of several models into one model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..schema.alternatives import LEGACY_SIZES
from ..tree.outermost import outermost
from ..write.form import Form
from .actuator_defaults import check_actuators
from .keyframes.section import Keyframes
from .shared_options import catch_up
from .total_mass import scale_masses
from .units import agree, choose

if TYPE_CHECKING:
    from ..tree.element import Element
    from .root import RootElement


class Merged:
    """One written section, merged from the sections of a model and its attached models."""

    _always = True
    _resets = False

    def __init__(self, parts: list[Element]) -> None:
        self.tag = parts[0].tag
        self._parts = parts
        self._values = parts[0]._values

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        return self._parts[0]._texts(form)

    def _written_children(self, form: Form) -> list[Any]:
        singles: dict[str, list[Element]] = {}
        found: list[Any] = []
        for part in self._parts:
            for child in part._written_children(form):
                if child._repeated:
                    found.append(child)
                else:
                    singles.setdefault(child.tag, []).append(child)
        return [*(Merged(parts) for parts in singles.values()), *found]


class Defaults:
    """The default section of several models, with a separate class for each model."""

    tag = 'default'
    _always = True
    _resets = False
    _values: Mapping[str, Any] = {}

    def __init__(self, parts: list[Element]) -> None:
        self._parts = parts

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        return []

    def _written_children(self, form: Form) -> Iterable[Any]:
        return self._parts


class _PartOfSize:
    """One of the two elements into which `divided` splits a <size> element."""

    tag = 'size'
    _always = True
    _resets = False
    _values: Mapping[str, Any] = {}

    def __init__(self, whole: Any, *, legacy: bool) -> None:
        self._whole = whole
        self._legacy = legacy

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        texts: list[tuple[str, str]] = self._whole._texts(form)
        return [pair for pair in texts if (pair[0] in LEGACY_SIZES) is self._legacy]

    def _written_children(self, form: Form) -> Iterable[Any]:
        return ()


def divided(children: Iterable[Any]) -> list[Any]:
    """Splits each <size> with `memory` and a legacy size: MuJoCo rejects both in one element."""
    found: list[Any] = []
    for child in children:
        values = child._values if child.tag == 'size' else {}
        if 'memory' in values and any(map(values.get, LEGACY_SIZES)):
            found += [_PartOfSize(child, legacy=legacy) for legacy in (True, False)]
        else:
            found.append(child)
    return found


def sections(model: RootElement, form: Form) -> list[Any]:
    """Returns the sections of a model, merged with the sections of all attached models."""
    for attached in model.attachments_below():
        catch_up(attached)  # options can have changed since the attachment
        agree(model, attached)
        choose(model, attached)
    by_tag: dict[str, list[Element]] = {}
    parts = [model, *model.attachments_below()]
    scale_masses(parts, form)
    for part in parts:
        check_actuators(part)
        part.get_children('default')  # each model gets its own class, even if empty
        # These default classes are written inside the first one, not as sections.
        within = outermost(part)[1:]
        for section in part._children:
            if section not in within:
                by_tag.setdefault(section.tag, []).append(section)
    by_tag['worldbody'] = by_tag.get('worldbody', [])[:1]
    order = ['compiler', 'option', 'size', 'visual', 'statistic', 'extension', 'default']
    tags = [tag for tag in order if tag in by_tag] + [tag for tag in by_tag if tag not in order]
    keyframes = by_tag.pop('keyframe', None)
    found: list[Any] = [
        Defaults(by_tag[tag]) if tag == 'default' else Merged(by_tag[tag])
        for tag in tags
        if by_tag.get(tag)
    ]
    return [*found, Keyframes(model, keyframes, found)] if keyframes else found
