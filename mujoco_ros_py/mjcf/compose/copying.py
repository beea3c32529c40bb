"""Copies a model into a new model, or includes it in an existing model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..attributes.file import folder_of_include
from ..schema.alternatives import rivals
from ..tree.element import Element
from ..tree.outermost import DEFAULT, outermost
from ..tree.placed import Placed
from .attachment import AttachmentFrame
from .shared_options import OF_EACH_MODEL

if TYPE_CHECKING:
    from .root import RootElement

Copies = dict[int, tuple[Placed, Placed]]
"""Pairs of an element and its copy, by the `id()` of the element."""


def copy_into(copy: RootElement, model: RootElement) -> None:
    """Fills an empty model with copies of another model's content and attached models."""
    copies: Copies = {}
    copy.namescope.follows = model.namescope.follows
    _fill(copy, model, copies)
    _redirect(copies)


def _fill(copy: Element, element: Element, copies: Copies) -> None:
    copies[id(element)] = element, copy
    if element._files and folder_of_include(element):
        # Reads the files now: their paths are relative to an included file's folder, which the
        # copy does not know.
        for file in element._files:
            file.__get__(element)
    copy._values = {
        key: kept.copy() if isinstance(kept, np.ndarray) else kept
        for key, kept in element._values.items()
    }
    if name := copy._name:
        copy._rename(None, name)
    for child in element._children:
        made = type(child)._detached(copy)
        copy._children.append(made)
        if child._resets:
            made._source = child._source
        if isinstance(child, AttachmentFrame):
            _fill_frame(made, child, copies)
        _fill(made, child, copies)
    if element._is_root:
        copy.frames = {name: copy.frames[name] for name in element.frames}  # in attachment order


def _fill_frame(copy: AttachmentFrame, frame: AttachmentFrame, copies: Copies) -> None:
    attached = frame.attachment._empty_copy()
    attached._become_attached(copy, frame.attachment.model)
    copy.shared = frame.shared
    copy.root.frames[attached.model] = copy
    _fill(attached, frame.attachment, copies)


def _redirect(copies: Copies) -> None:
    """Redirects references between copied elements to the copies."""
    for _, copy in copies.values():
        for reference in copy._references:
            kept = copy._values.get(reference.key)
            if isinstance(kept, Placed) and id(kept) in copies:
                copy._values[reference.key] = copies[id(kept)][1]
            elif isinstance(kept, tuple):
                copy._values[reference.key] = tuple(
                    copies[id(each)][1] if id(each) in copies else each for each in kept
                )
            elif isinstance(kept, str):
                copy.namescope.wait(copy, reference)


def include(target: RootElement, model: RootElement, override_attributes: bool) -> Copies:
    """Copies all elements of the model into the target; merges elements that both models have.

    Raises ValueError and leaves the target unchanged if both models set an attribute to different
    values, unless `override_attributes` is true.
    """
    if model is target:
        raise ValueError(f'model {model.model!r} cannot be included in itself')
    if model.frames:
        raise NotImplementedError(
            f'model {model.model!r} cannot be included, because it has attached models'
        )
    copies: Copies = {}
    restore = _restorer(target)
    try:
        _include(target, model, override_attributes, copies)
    except Exception:
        restore()
        raise
    _redirect(copies)
    return copies


def _restorer(model: RootElement) -> Callable[[], None]:
    """Returns a function that restores the current content of the model."""
    kept = [
        (each, dict(each._values), list(each._children), each._edited) for each in model.walk()
    ]
    restore_names = model.namescope.restorer()

    def restore() -> None:
        for element, values, children, edited in kept:
            element._values, element._children, element._edited = values, children, edited
        restore_names()

    return restore


def _include(target: Element, element: Element, override: bool, copies: Copies) -> None:
    if not element._is_root:
        _include_attributes(target, element, override)
    for child in element._children:
        into = _counterpart(target, child, override)
        if into is None:
            into = target.add(child.tag, **child.get_attributes())
            copies[id(child)] = child, into
            _include(into, child, True, copies)
        else:
            copies[id(child)] = child, into
            if child._resets:
                into._source = child._source
            _include(into, child, override, copies)


def _include_attributes(target: Element, element: Element, override: bool) -> None:
    for key, value in element.get_attributes().items():
        if (target.tag, key) in OF_EACH_MODEL:
            continue
        ours = getattr(target, key)
        excluded = rivals([key]) & target._values.keys()
        if not override and ours is not None and not np.array_equal(ours, value):
            raise ValueError(f'{target}: {key} is {ours} here but {value} in the included model')
        if not override and excluded:
            raise ValueError(
                f'{target}: MuJoCo accepts only one of {excluded.pop()} (set here) and {key} (set'
                ' in the included model)'
            )
        for each in excluded:
            delattr(target, each)
        if ours is None or override:
            setattr(target, key, value)


def _counterpart(target: Element, child: Element, override: bool) -> Any:
    """Returns the target's element that corresponds to the child, or None."""
    if override and child._name:
        found = target.find(child.spec.namespace or '', child._name)
        if found is not None and found._parent is not target:
            raise ValueError(f'{found} and {child} have different parents')
        if found is not None:
            return found
    if child.tag == DEFAULT and child in outermost(child.root)[1:]:
        return target._append(type(child), {})
    return None if child._repeated else target.get_children(child.tag)
