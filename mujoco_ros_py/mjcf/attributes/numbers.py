"""Attributes that hold one number or an array of numbers."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ..schema import AttributeSpec
from ..write.number_text import number_text
from .attribute import Attribute

if TYPE_CHECKING:
    from ..tree.element import Element
    from ..write.form import Form

_ODD = frozenset('_nN')
"""Characters that Python accepts in numbers and MJCF does not, as in 1_000 and nan."""
_LARGEST_INT = 2**31 - 1
_SHORT = 100
_FEW = 16
_PLAIN = {int, float}
_REMEMBERED = 1000
"""The number of valid texts cached for each attribute; models repeat few texts often."""


class Number(Attribute):
    """The common base of attributes that hold one or more numbers."""

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__(spec)
        whole = spec.kind == 'int'
        self._type: type = int if whole else float
        self._largest = _LARGEST_INT if whole else inf
        self._noun = 'whole number' if whole else 'number'

    def _mended(self, text: str) -> str:
        """Rewrites an integral number such as 1.0 to 1, because MuJoCo requires that form."""
        try:
            return str(int(text)) if self._type is int else text
        except ValueError:
            number = float(text)
            if not number.is_integer():
                raise
            return str(int(number))

    def _wrong(self, got: object) -> ValueError:
        raise NotImplementedError


class Scalar(Number):
    """An attribute that holds one number."""

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__(spec)
        self.check = self._parse

    def mend(self, text: str) -> str:
        """Rewrites a whole number such as 1.0 as 1.

        Raises ValueError if the text is not a number.
        """
        try:
            text = self._mended(text)
        except ValueError:
            raise self._wrong(text) from None
        self._parse(text)
        return text

    def accept(self, element: Element, value: object) -> Any:
        """Accepts a number or its text. Raises ValueError for all other values."""
        if isinstance(value, str):
            return self._parse(self.mend(value))
        try:
            number = self._type(value)
            fine = bool(number == value) and abs(number) <= self._largest
        except (TypeError, ValueError, OverflowError):
            fine = False
        if not fine:
            raise self._wrong(value)
        return number

    def value(self, element: Element, kept: object) -> Any:
        """Returns the number, which is stored as a number or as text."""
        return self._parse(kept) if type(kept) is str else kept

    def text(self, element: Element, kept: Any, form: Form) -> str:
        """Returns the text of the number, with as many digits as `form` requires."""
        if type(kept) is str:
            if form.exact:
                return kept
            kept = self._parse(kept)
        return number_text(kept, form)

    def _parse(self, text: str) -> Any:
        try:
            number = self._type(text)
        except ValueError:
            if not text:  # an empty text means that the attribute is not set
                return None
            raise self._wrong(text) from None
        odd = _ODD.intersection(text) and (isnan(number) or '_' in text)
        if odd or abs(number) > self._largest or not text.isascii():
            raise self._wrong(text)
        return number

    def _wrong(self, got: object) -> ValueError:
        return self.wrong(f'a {self._noun}{_not_nan(got)}', got)


class Array(Number):
    """An attribute that holds an array of numbers of shape (n,), n up to `spec.high`."""

    def __init__(self, spec: AttributeSpec) -> None:
        super().__init__(spec)
        self._dtype = np.dtype(np.int64 if spec.kind == 'int' else np.float64)
        self.fine: set[str] = set()
        self.check = _checker(self, self._type, spec.high)
        self._most = -1 if spec.kind == 'int' else min(spec.high or _FEW, _FEW)
        """The maximum number of entries checked one by one; -1 disables this fast check."""

    def mend(self, text: str) -> str:
        """Rewrites whole numbers such as 1.0 as 1.

        Raises ValueError for a text that is not a valid array.
        """
        words = text.split()
        if self._type is int:
            try:
                words = list(map(self._mended, words))
            except ValueError:
                raise self._wrong(text) from None
        text = ' '.join(words)
        assert self.check is not None
        self.check(text)
        return text

    def accept(self, element: Element, value: object) -> Any:
        """Accepts the text of an array, or anything that numpy converts to an array.

        The element stores a copy.
        """
        if isinstance(value, str):
            return self._parse(value if value in self.fine else self.mend(value))
        return self._any(value)

    def accept_at(self, element: Element, value: object) -> Any:
        """Converts a value to its stored representation.

        Short lists of plain numbers, the most common values, take a fast path.
        """
        array = self._few(value)
        return super().accept_at(element, value) if array is None else array

    def _few(self, value: Any) -> np.ndarray[Any, Any] | None:
        """Returns a short array of plain numbers, or None if the value needs the general path."""
        kind = type(value)
        if kind is np.ndarray and value.dtype.char == 'd' and value.ndim == 1:
            numbers = value.tolist()
        elif (kind is list or kind is tuple) and _PLAIN.issuperset(map(type, value)):
            numbers = value
        else:
            return None
        if len(numbers) > self._most:
            return None
        try:
            total = sum(numbers)
            return np.array(value, self._dtype) if total - total == 0 else None
        except OverflowError:
            return None

    def _any(self, value: object) -> np.ndarray[Any, Any]:
        try:
            given = np.asarray(value)
            if given.dtype.kind == 'U' and given.ndim == 1:  # a list of words
                return self._parse(self.mend(' '.join(given.tolist())))
            array = np.array(given, self._dtype).reshape(-1) if given.ndim < 2 else None
        except (TypeError, ValueError, OverflowError):
            array = None
        if array is None or given.dtype.kind not in 'biuf' or self._breaks(array):
            raise self._wrong(value)
        if self._type is int and not np.array_equal(array, given.reshape(-1)):
            raise self._wrong(value)
        return array

    def value(self, element: Element, kept: object) -> Any:
        """Returns the stored array; writing into it changes the model.

        Numbers written into the array are checked only when the model is written.
        """
        if type(kept) is str:
            kept = element._values[self.key] = self._parse(kept)
        return kept

    def text(self, element: Element, kept: Any, form: Form) -> str:
        """Returns the text of the numbers.

        Raises ValueError if an invalid number was written into the array.
        """
        if type(kept) is str:
            if form.exact:
                return kept
            kept = self._parse(kept)
        if not form.lenient and self._breaks(kept):
            raise self._wrong(kept.tolist())
        return ' '.join([number_text(number, form) for number in kept.tolist()])

    def _parse(self, text: str) -> np.ndarray[Any, Any]:
        return np.array(list(map(self._type, text.split())), self._dtype)

    def _breaks(self, array: np.ndarray[Any, Any]) -> bool:
        too_long = self.spec.high is not None and len(array) > self.spec.high
        return too_long or bool((np.isnan(array) | (np.abs(array) > self._largest)).any())

    def _wrong(self, got: object) -> ValueError:
        most = '' if self.spec.high is None else f'at most {self.spec.high} '
        return self.wrong(f'{most}{self._noun}s{_not_nan(got)}', got)


def _not_nan(got: object) -> str:
    """Returns the extra words of a rule for a value that contains nan."""
    return ', not nan' if 'nan' in repr(got).lower() else ''


def _checker(array: Array, kind: type, high: int | None) -> Callable[[str], None]:
    """Returns the function that checks the text of an array.

    Reading a model spends most of its time in this function.
    """
    most, largest = 1 << 62 if high is None else high, array._largest
    fine = array.fine

    def check(text: str) -> None:
        try:
            numbers = list(map(kind, text.split()))
        except ValueError:
            raise array._wrong(text) from None
        nan = ('n' in text or 'N' in text) and 'nan' in text.lower()
        if nan or len(numbers) > most or '_' in text or not text.isascii():
            raise array._wrong(text)
        if kind is int and any(abs(number) > largest for number in numbers):
            raise array._wrong(text)
        if len(fine) < _REMEMBERED and len(text) < _SHORT:
            fine.add(text)

    return check
