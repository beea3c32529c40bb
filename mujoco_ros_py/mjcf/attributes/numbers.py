"""Attributes that hold numbers: one, or an array of them."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ..form import Form
from ..schema import AttributeSpec
from .base import Attribute

if TYPE_CHECKING:
    from ..element import Element

_ODD = frozenset('_nN')
"""What Python reads in numbers and MJCF does not take: 1_000 and nan."""
_REMEMBERED = 1000
"""How many texts each attribute knows to be fine: models repeat a few of them."""
_WORDS: dict[type, str] = {float: 'number', int: 'whole number'}


class Scalar(Attribute):
    """One number."""

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__(spec)
        self._type: type = int if spec.kind == 'int' else float
        self.check = self._parse

    def accept(self, element: Element, value: Any) -> Any:
        """A number, or its text."""
        if isinstance(value, str):
            return self._parse(value)
        try:
            number = self._type(value)
        except (TypeError, ValueError, OverflowError):
            raise self._wrong(value) from None
        if number != value:
            raise self._wrong(value)
        return number

    def value(self, element: Element, kept: Any) -> Any:
        """The number."""
        return self._parse(kept) if type(kept) is str else kept

    def text(self, element: Element, kept: Any, form: Form) -> str:
        """The number."""
        return kept if type(kept) is str else number_text(kept, form)

    def _parse(self, text: str) -> Any:
        try:
            number = self._type(text)
        except ValueError:
            number = self._whole(text)
        if _ODD.intersection(text) and (isnan(number) or '_' in text):
            raise self._wrong(text)
        return number

    def _whole(self, text: str) -> int:
        """1.0 is a whole number too."""
        try:
            number = float(text)
            if self._type is int and number.is_integer():
                return int(number)
        except ValueError:
            pass
        raise self._wrong(text)

    def _wrong(self, got: object) -> ValueError:
        return self.wrong(f'a {_WORDS[self._type]}', got)


class Array(Attribute):
    """A one-dimensional array of numbers, shape (up to `spec.high`,)."""

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__(spec)
        self._type: type = int if spec.kind == 'int' else float
        self._dtype = np.dtype(np.int64 if spec.kind == 'int' else np.float64)
        self.check = _checker(self, self._type, spec.high)

    def accept(self, element: Element, value: Any) -> Any:
        """Whatever numpy takes as such an array, or its text; a copy is kept."""
        if isinstance(value, str):
            return self._parse(value)
        try:
            given = np.asarray(value)
            array = np.array(given, self._dtype).reshape(-1) if given.ndim < 2 else None
        except (TypeError, ValueError, OverflowError):
            array = None
        if array is None or given.dtype.kind not in 'biuf' or self._breaks(array):
            raise self._wrong(value)
        if self._type is int and not np.array_equal(array, given.reshape(-1)):
            raise self._wrong(value)
        return array

    def value(self, element: Element, kept: Any) -> Any:
        """The array itself: what is written into it is seen, and checked when it is used."""
        if type(kept) is str:
            kept = element._values[self.key] = self._parse(kept)
        return kept

    def text(self, element: Element, kept: Any, form: Form) -> str:
        """The numbers; raises ValueError if there is a nan in the array by now."""
        if type(kept) is str:
            return kept
        if self._breaks(kept):
            raise self._wrong(kept.tolist())
        return ' '.join(number_text(number, form) for number in kept.tolist())

    def _parse(self, text: str) -> np.ndarray[Any, Any]:
        assert self.check is not None
        self.check(text)
        return np.array(list(map(float, text.split())), np.float64).astype(self._dtype)

    def _breaks(self, array: np.ndarray[Any, Any]) -> bool:
        too_long = self.spec.high is not None and len(array) > self.spec.high
        return too_long or bool(np.isnan(array).any())

    def _wrong(self, got: object) -> ValueError:
        most = '' if self.spec.high is None else f'at most {self.spec.high} '
        return self.wrong(f'{most}{_WORDS[self._type]}s', got)


def number_text(number: float, form: Form) -> str:
    """The shortest text that is read as the same number, or one of fewer digits."""
    if abs(number) < form.zero_threshold:
        return '0'
    if form.precision < 17:
        return f'{number:.{form.precision}g}'
    return repr(number).removesuffix('.0')


def _checker(array: Array, kind: type, high: int | None) -> Callable[[str], None]:
    """The one check that reading spends its time in."""
    most = 1 << 62 if high is None else high
    fine: set[str] = set()

    def check(text: str) -> None:
        if text in fine:
            return
        numbers = text.split()
        try:
            list(map(kind, numbers))
        except ValueError:
            if kind is float or not all(_is_whole(number) for number in numbers):
                raise array._wrong(text) from None
        if len(numbers) > most or '_' in text or ('n' in text and 'nan' in text.lower()):
            raise array._wrong(text)
        if len(fine) < _REMEMBERED:
            fine.add(text)

    return check


def _is_whole(text: str) -> bool:
    try:
        return float(text).is_integer()
    except ValueError:
        return False
