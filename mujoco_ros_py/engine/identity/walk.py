"""Follows a function to everything that affects its machine code."""

from __future__ import annotations

import builtins
import ctypes
import enum
import hashlib
import struct
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..foreign.numba.numba_internals import is_dispatcher
from ..hidden_geoms import ModelAt
from ..inlined import Inlined
from ..memory_views import NumbersAt
from ..separate import Separate
from . import numba_registrations
from .code_references import Reference, UnfollowedError, references
from .installed_packages import installed_name, is_installed

Part = tuple[Any, ...]
_MISSING = object()
"""The value of an undefined name."""
# The common base of ctypes' function classes has no public name.
_C_FUNCTION: Any = ctypes.CFUNCTYPE(None).__mro__[1]
"""The base class of all `ctypes` functions."""
_ARRAYS = (np.ndarray, np.recarray)
_LARGEST = 10**6
"""The size in bytes of the largest array that numba copies into the code."""
_TYPED_BY_FUNCTION = ('__wrapped__', '__signature__')
"""Function attributes that determine the signature."""


class Identity(NamedTuple):
    """The identity of code; equal in two processes if all inputs of the code are equal."""

    parts: Part
    """The description: strings, numbers, bytes, and tuples of these."""
    objects: tuple[object, ...]
    """Classes, such as exceptions, that the code finds by name when it is loaded; arrays and C
    functions to whose memory in this process the code refers."""


def identify(function: Any) -> Identity:
    """Follows a function to all functions, constants and modules that it can reach.

    Raises UnfollowedError if it can reach any other kind of object.
    """
    walk = _Walk()
    try:
        return Identity(tuple(walk.run(function)), tuple(walk.objects))
    except RecursionError:
        # For example, a list contains itself.
        raise UnfollowedError('constants are nested too deep') from None


class _Walk:
    """Numbers functions in the order of their discovery, and describes each once."""

    def __init__(self) -> None:
        self.objects: list[object] = []
        self._functions: list[FunctionType] = []
        """The functions found so far, in the order of their numbers."""
        self._numbers: dict[int, int] = {}

    def run(self, root: Any) -> Iterator[Part]:
        yield self.value(root)
        for overload in numba_registrations.always_reached():
            yield self._overload(overload)
        for function in self._functions:  # grows during the loop
            yield self._function(function)

    def _function(self, function: FunctionType) -> Part:
        code, extra = function.__code__, function.__dict__
        options = [self._overload(each) for each in numba_registrations.overloads_of(function)]
        try:
            return (
                function.__module__,
                function.__qualname__,
                self._code(code),
                self.value(function.__defaults__),
                self.value(function.__kwdefaults__),
                *(self.value(extra[name]) for name in _TYPED_BY_FUNCTION if name in extra),
                *(self._refer(function, reference) for reference in references(code)),
                *options,
            )
        except UnfollowedError as error:
            raise UnfollowedError(f'{function.__qualname__}: {error}') from None

    def _code(self, code: CodeType) -> Part:
        numbers = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        names = code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars
        # Exceptions of the code contain its file and its lines.
        place = code.co_name, code.co_filename, code.co_firstlineno, code.co_linetable
        jumps = getattr(code, 'co_exceptiontable', b'')  # since Python 3.11
        constants = tuple(map(self.value, code.co_consts))
        return 'code', code.co_code, jumps, numbers, names, place, constants

    def _refer(self, function: FunctionType, reference: Reference) -> Part:
        value = _look_up(function, reference)
        for attribute in reference.attributes:
            # Only attributes of modules are followed; any other value is described as a whole.
            if not isinstance(value, ModuleType):
                break
            value = getattr(value, attribute, _MISSING)
        try:
            return *reference, self.value(value)
        except UnfollowedError as error:
            name = '.'.join([reference.name, *reference.attributes])
            raise UnfollowedError(f'{name} is {error}') from None

    def value(self, value: Any) -> Part:
        """Describes the value of a name or of a constant."""
        described = _plain(value)
        if described is not None:
            return described
        # Checked before the name: a user may have registered another implementation of this object
        # with numba.
        if numba_registrations.is_replaced(value):
            raise UnfollowedError(f'{value!r} with a user-defined implementation')
        # The versions of installed packages are part of every key, so the name identifies the
        # object.
        if (name := installed_name(value)) is not None:
            return 'installed', *name
        return self._collection(value) or self._object(value)

    def _collection(self, value: Any) -> Part | None:
        kind = type(value)
        if kind in (tuple, list):
            return kind.__name__, *map(self.value, value)
        if kind in (set, frozenset):
            # The order of a set of strings differs between processes.
            return kind.__name__, *sorted(map(repr, map(self.value, value)))
        if kind is dict:
            return 'dict', *((self.value(key), self.value(value[key])) for key in value)
        if isinstance(value, tuple) and hasattr(kind, '_fields'):
            return 'named tuple', self._class(kind), *map(self.value, value)
        return None

    def _object(self, value: Any) -> Part:
        if value is _MISSING:
            return ('missing',)
        if isinstance(value, ModuleType):
            if is_installed(value.__name__):
                return 'module', value.__name__
            raise UnfollowedError('a module used as a value')
        if isinstance(value, CodeType):
            return self._code(value)
        if isinstance(value, FunctionType):
            return 'function', self._number(value)
        if type(value) is Inlined:
            return 'inlined', self._number(value.py_func), self.value(value.options)
        if type(value) is Separate:
            return 'separate', self._number(value.py_func)
        if type(value) in (NumbersAt, ModelAt):
            return 'built in', type(value).__name__
        if is_dispatcher(value):
            options = map(self.value, numba_registrations.options(value))
            return 'dispatcher', self._number(value.py_func), *options
        if isinstance(value, _C_FUNCTION):
            self.objects.append(value)
            # The address differs between processes. Code that contains it is not cached on disk,
            # but is found in memory through the object.
            return 'C function', repr(value.restype), repr(value.argtypes)
        if isinstance(value, np.ndarray):
            if _is_found_by_address(value):
                self.objects.append(value)
            return _array(value)
        if isinstance(value, np.dtype):
            return _dtype(value)
        if isinstance(value, enum.Enum):
            return 'member', self._class(type(value)), value.name, self.value(value.value)
        if isinstance(value, type):
            return self._class(value)
        described = numba_registrations.numba_type(value)
        if described is None:
            raise UnfollowedError(f'of type {type(value).__module__}.{type(value).__qualname__}')
        return described

    def _class(self, kind: type) -> Part:
        name = kind.__module__, kind.__qualname__
        if issubclass(kind, enum.Enum):
            members = kind.__members__.items()
            return 'enumeration', *name, *((key, self.value(each.value)) for key, each in members)
        if issubclass(kind, tuple) and hasattr(kind, '_fields'):
            defaults = self.value(getattr(kind, '_field_defaults', {}))
            return 'named tuple', *name, kind._fields, defaults
        if issubclass(kind, BaseException) and numba_registrations.is_found_by_name(kind):
            self.objects.append(kind)
            return 'exception', *name
        raise UnfollowedError(f'the class {kind.__qualname__}')

    def _overload(self, overload: Part) -> Part:
        return tuple(map(self.value, overload))

    def _number(self, function: Any) -> int:
        # Functions are described by number, because they may call each other recursively.
        number = self._numbers.setdefault(id(function), len(self._functions))
        if number == len(self._functions):
            self._functions.append(function)
        return number


def _look_up(function: FunctionType, reference: Reference) -> Any:
    """Returns the value of a name, looked up as numba does."""
    if reference.is_global:
        outer = getattr(builtins, reference.name, _MISSING)
        return function.__globals__.get(reference.name, outer)
    cell = (function.__closure__ or ())[function.__code__.co_freevars.index(reference.name)]
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return _MISSING


def _plain(value: Any) -> tuple[Any, ...] | None:
    """Describes a self-contained constant; returns None for other values."""
    kind = type(value)
    # Compares exact types, because an object of a derived class may compile differently.
    if value is None or value is Ellipsis or kind in (bool, int, str, bytes, range, slice):
        return kind.__name__, repr(value)
    if kind is float:
        # distinguishes -0.0 from 0.0, and the sign of a NaN
        return 'float', struct.pack('<d', value)
    if kind is complex:
        return 'complex', struct.pack('<2d', value.real, value.imag)
    if isinstance(value, np.generic):
        described = _dtype(value.dtype)
        return 'number', kind.__name__, described, value.tobytes()
    return None


def _array(value: NDArray[Any]) -> tuple[Any, ...]:
    """Describes an array. Raises UnfollowedError for an array of objects."""
    if type(value) not in _ARRAYS:
        raise UnfollowedError(f'an array of the class {type(value).__qualname__}')
    flags = value.flags
    kind = type(value).__name__, flags.c_contiguous, flags.f_contiguous, flags.aligned
    described = _dtype(value.dtype)
    # Only a digest of the content, because a table may have a megabyte, and the key is a string.
    digest = hashlib.sha256(value.tobytes()).hexdigest()
    return 'array', *kind, flags.writeable, value.shape, value.strides, described, digest


def _is_found_by_address(value: NDArray[Any]) -> bool:
    """Returns whether code refers to an array's memory instead of copying it."""
    contiguous = value.flags.c_contiguous or value.flags.f_contiguous
    return not contiguous or value.nbytes > _LARGEST


def _dtype(value: np.dtype[Any]) -> tuple[Any, ...]:
    """Describes the type of an array's elements. Raises UnfollowedError for objects."""
    if value.hasobject:
        raise UnfollowedError('an array of objects')
    fields = value.fields.items() if value.fields else ()
    parts = [(name, offset, _dtype(inner)) for name, (inner, offset, *_) in fields]
    inner = value.subdtype and (_dtype(value.subdtype[0]), value.subdtype[1])
    return 'dtype', value.str, value.type.__name__, value.alignment, value.itemsize, inner, parts
