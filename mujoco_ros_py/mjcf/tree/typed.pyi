"""The types of attributes and children, for type checkers; Python itself never imports it."""

from collections.abc import Sequence
from typing import Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Never

from .element import Element
from .lists import ElementList

_Got = TypeVar('_Got', covariant=True)
_Given = TypeVar('_Given', contravariant=True)
_G = TypeVar('_G')
_T = TypeVar('_T')
_E = TypeVar('_E', bound=Element)

class Required(Generic[_Got, _Given]):
    def __get__(self, element: Element, owner: type | None = None, /) -> _Got: ...
    def __set__(self, element: Element, value: _Given, /) -> None: ...

class Attribute(Required[_G | None, _T | None], Generic[_G, _T]):
    def __delete__(self, element: Element, /) -> None: ...

class Child(Generic[_Got]):
    def __get__(self, element: Element, owner: type | None = None, /) -> _Got: ...
    def __set__(self, element: Element, value: Never, /) -> None: ...
    def __delete__(self, element: Element, /) -> None: ...

class Children(Generic[_E]):
    def __get__(self, element: Element, owner: type | None = None, /) -> ElementList[_E]: ...
    def __set__(self, element: Element, value: Never, /) -> None: ...

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

IntLike: TypeAlias = SupportsIndex | str
IntsLike: TypeAlias = Sequence[SupportsIndex] | SupportsIndex | str
FloatLike: TypeAlias = float | np.number[Any] | str
FloatsLike: TypeAlias = Sequence[SupportsFloat] | SupportsFloat | str  # an array is both
