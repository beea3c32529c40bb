"""What attributes and children give and take, for type checkers: not there when programs run."""

from collections.abc import Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Never

from ..element import Element
from ..lists import ElementList

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

IntLike: TypeAlias = int | np.integer[Any] | str
IntsLike: TypeAlias = Sequence[int | np.integer[Any]] | NDArray[np.integer[Any]] | IntLike
FloatLike: TypeAlias = float | np.floating[Any] | np.integer[Any] | str
FloatsLike: TypeAlias = (
    Sequence[float | np.floating[Any] | np.integer[Any]]
    | NDArray[np.floating[Any] | np.integer[Any]]
    | FloatLike
)
