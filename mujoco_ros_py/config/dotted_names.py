"""Structs given as values with dotted names, like ROS parameters: ``gains.elbow.p``."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin

from ..errors import ConfigError
from .parameter import parameters_of

_Path = tuple[str, ...]


def nested_struct(values: Mapping[str, object]) -> dict[str, Any]:
    """Builds a struct from dotted names. Raises ConfigError if a name has a value and a struct."""
    struct: dict[str, Any] = {}
    for name, value in values.items():
        if not insert(struct, name, value):
            raise ConfigError(f'{name} is given as a value and as a struct')
    return struct


def insert(struct: dict[str, Any], name: str, value: object) -> bool:
    """Inserts a value at its dotted name; returns False if the place is taken."""
    *path, last = name.split('.')
    for part in path:
        struct = struct.setdefault(part, {})
        if not isinstance(struct, dict):
            return False
    if last in struct:
        return False
    struct[last] = list(value) if isinstance(value, array) else value
    return True


def with_value(struct: Mapping[str, object], name: str, value: object) -> dict[str, Any]:
    """Returns a copy of the struct with the value of one dotted name set.

    Keys of the struct can contain dots; the longest key that matches the start of the name is
    used.
    """
    made = dict(struct)
    for key in sorted(struct, key=len, reverse=True):
        inside = {} if struct[key] is None else struct[key]
        if name == key:
            made[key] = value
            return made
        if name.startswith(f'{key}.') and isinstance(inside, Mapping):
            made[key] = with_value(inside, name.removeprefix(f'{key}.'), value)
            return made
    first, dot, rest = name.partition('.')
    if dot and first not in struct:
        made[first] = with_value({}, rest, value)
    else:
        made[name] = value
    return made


def entries(hint: object, name: str, value: Mapping[str, object]) -> dict[str, Any]:
    """Returns the entries of a mapping whose values have the type `hint`; keys can contain dots.

    The value p of the key ``arm.1`` can be given in two forms: with the name ``arm.1.p``, or in
    nested structs, one for each part of the name, as in native parameters. The key ends where the
    remaining parts name a field of the type. Raises ConfigError for a value that is given twice.
    """
    if any(map(_is_free, _kinds(hint))):
        return dict(value)
    made: dict[str, Any] = {}
    for path, leaf in _leaves(value):
        end = _end_of_key(hint, path)
        key, *words = '.'.join(path[:end]), *path[end:]
        struct = made
        for word in (key, *words)[:-1]:
            struct = struct.setdefault(word, {})
            if not isinstance(struct, dict):
                raise ConfigError(f'{name}.{key} is given as a value and as a struct')
        if (last := (key, *words)[-1]) in struct:
            raise ConfigError(f'{".".join(map(str, (name, key, *words)))} is given twice')
        struct[last] = leaf
    return made


def _leaves(value: Mapping[str, object]) -> Iterator[tuple[_Path, Any]]:
    """Yields each value, and each empty struct, with its path."""
    waiting = [(tuple(key.split('.')), part) for key, part in value.items()]
    while waiting:
        path, part = waiting.pop(0)
        if isinstance(part, Mapping) and part:
            waiting[:0] = [((*path, key), each) for key, each in part.items()]
        else:
            yield path, part


def _end_of_key(hint: object, path: _Path) -> int:
    """Returns how many parts of a path form the key of an entry: as few as possible.

    The remaining parts must be the path of a field in the type. If no split allows this, the
    result depends on the type: for plain values the whole path is the key. For a struct, the key
    ends before the first part that names a field, or else before the last part.
    """
    ends = range(1, len(path))
    for end in ends:
        if _is_place(hint, path[end:]):
            return end
    if not all(map(is_dataclass, _kinds(hint))):
        return len(path)
    meant = (end for end in ends if _is_place(hint, path[end : end + 1]))
    return next(meant, max(1, len(path) - 1))


def _is_place(hint: object, path: _Path) -> bool:
    """Returns whether a type has a field, a value or a struct, at a path."""
    return any(_is_place_in(kind, path) for kind in _kinds(hint))


def _kinds(hint: object) -> tuple[Any, ...]:
    """Returns the members of a union, or the type itself."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _is_place_in(kind: Any, path: _Path) -> bool:
    if _is_free(kind):
        return True
    if not path or not is_dataclass(kind):
        return not path
    row = parameters_of(kind).get(path[0])
    return row is not None and _is_place(row.hint, path[1:])


def _is_free(kind: Any) -> bool:
    """Returns whether values of a type can be structs with arbitrary keys."""
    origin = get_origin(kind)
    return kind is Any or (isinstance(origin, type) and issubclass(origin, Mapping))
