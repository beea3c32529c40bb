"""Writes the keyframes of a composed model; each key covers the whole model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...write.number_text import number_text
from .owners import VECTORS
from .slots import Slots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...tree.element import Element
    from ...write.form import Form
    from ..root import RootElement


_LENGTHS = (
    'the length in its model alone',
    'the length with the joints of attachment frames',
    'the length with all attached models',
)
"""The meanings of the allowed lengths of a key's vector, for errors."""
_WHOLE = {'mpos': 3, 'mquat': 4}
"""The number of entries per pose in these vectors."""


class Keyframes:
    """The keyframe section of a model and the models attached to it.

    `others` are the model's other sections, which are compiled if a key has numbers.
    """

    tag = 'keyframe'
    _always = True
    _resets = False

    def __init__(self, model: RootElement, parts: Sequence[Element], others: list[Any]) -> None:
        self._model = model
        self._keys = [key for part in parts for key in part._children]
        self._others = others

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        return []

    def _written_children(self, form: Form) -> Sequence[Any]:
        if not any(_vectors(key) for key in self._keys):
            return self._keys
        found = form.slots.get(id(self._model))
        if found is None:
            found = form.slots[id(self._model)] = Slots(self._model, self._others)
        return [_Key(key, found) for key in self._keys]


class _Key:
    """A key whose vectors cover the whole model."""

    tag = 'key'
    _always = False

    def __init__(self, key: Element, where: Slots) -> None:
        self._key = key
        self._where = where

    def _texts(self, form: Form) -> list[tuple[str, str]]:
        texts = dict(self._key._texts(form))
        for name in _vectors(self._key):
            numbers = _widened(self._key, name, self._where)
            texts[name] = ' '.join([number_text(each, form) for each in numbers.tolist()])
        return list(texts.items())

    def _written_children(self, form: Form) -> Sequence[Any]:
        return ()


def _vectors(key: Element) -> list[str]:
    return [name for name in VECTORS if getattr(key, name, None) is not None]


def _widened(key: Element, name: str, where: Slots) -> Any:
    """Returns a vector of the whole model that contains the numbers of a key of one model."""
    given, model = getattr(key, name), key.root
    copies = where.copies(model)
    allowed: dict[int, str] = {}
    for meaning, places in zip(_LENGTHS, where.of(model, name), strict=True):
        if len(given) * copies == len(places):
            numbers = where.default(name)
            numbers[places] = np.tile(given, copies)
            return numbers
        allowed.setdefault(len(places) // copies, meaning)
    shortest = next(where.of(model, name)).reshape(copies, -1)
    if len(given) < shortest.shape[1]:  # MuJoCo fills the first entries, and only whole poses
        count = len(given) - len(given) % _WHOLE.get(name, 1)
        numbers = where.default(name)
        numbers[shortest[:, :count]] = given[:count]
        return numbers
    known = ', or '.join(f'{count}, {meaning}' for count, meaning in allowed.items())
    raise ValueError(
        f'key {key._name or ""!r} of model {model.model!r}: the length of {name} must be {known};'
        f' got {len(given)}'
    )
