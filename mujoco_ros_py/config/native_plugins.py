"""Reads MujocoPlugins from native ROS parameters: structs by name, ordered by `names`."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import ConfigError
from .dotted_names import insert
from .plugin_registration import KEY, Entry, is_plugin_type
from .wording import shown, unknown

_INSTEAD = """Write the structs by name:
  MujocoPlugins:
    names: [first, second]
    first: {type: package/Class}
    second: {type: package/Other, gain: 1.0}
or the list as a block of text (mind the bar):
  MujocoPlugins: |
    - type: package/Class
    - type: package/Other
      gain: 1.0"""

_ARRIVED = (
    f'a list of structs, or a struct whose key has a dot, arrived as {KEY}.{{}} and swallowed the'
    f' lines that follow it. Write the plugins as a block of text instead ({KEY}: |)'
)


def read_native(parameters: Mapping[str, object]) -> list[Entry]:
    """Returns the entries in the order of `names`, then unlisted entries as faults.

    `parameters` has the names below ``MujocoPlugins.``, including dots. Raises ConfigError if
    `names` is missing or is not a list of strings.
    """
    names = _names(parameters)
    structs, faults = _structs(parameters)
    unlisted = [
        Entry(place=f'{KEY}.{name}', struct=struct, fault=f'must be listed in {KEY}.names')
        for name, struct in structs.items()
        if name not in names
    ]
    return [*_listed(names, structs, faults), *unlisted]


def check_native(changes: Mapping[str, object]) -> None:
    """Raises ConfigError unless `names` is a list of strings and each type is ``package/Class``.

    `changes` has the names below ``MujocoPlugins.``, with None for deleted parameters.
    """
    if changes.get('names') is not None:
        _names(changes)
    for key, value in changes.items():
        plugin, _, last = key.partition('.')
        if last != 'type' or plugin == 'names' or value is None:
            continue
        if isinstance(value, (list, tuple)):
            continue  # rcl merges a list of structs like this; the reload reports it
        if not isinstance(value, str) or not is_plugin_type(value):
            raise ConfigError(f'{KEY}.{key} must have the form package/Class, got {shown(value)}')


def _names(parameters: Mapping[str, object]) -> list[str]:
    names = parameters.get('names')
    if names is None:
        raise ConfigError(_merged_list(parameters) or _no_names(parameters))
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise ConfigError(f'{KEY}.names must be a list of strings, got {shown(names)}')
    return list(names)


def _no_names(parameters: Mapping[str, object]) -> str:
    """Returns the error for missing `names`, which explains if rcl moved them into another struct.

    At the end of a struct whose key contains a dot, rcl's parser goes back only one part of the
    key. The parameters that follow end up in a struct named by the remaining parts.
    """
    for key, value in parameters.items():
        if key.endswith('.names') and isinstance(value, (list, tuple)):
            return (
                f'{KEY}.names arrived as {KEY}.{key}: after a struct whose key has a dot'
                ' (arm.1: {p: 1.0}), the ROS parser puts the lines that follow into the wrong'
                ' struct. Write a line for each value instead (arm.1.p: 1.0)'
            )
    structs = dict.fromkeys(key.partition('.')[0] for key in parameters)
    return f'{KEY}.names must list the plugins in order: names: [{", ".join(structs)}]'


def _merged_list(parameters: Mapping[str, Any]) -> str:
    """Returns an explanation if rcl merged a list of structs into these parameters; else empty.

    rcl's parser merges ``[{type: a/B}, {type: c/D}]`` into ``type.type: ['a/B', 'c/D']``, and
    ``[{name: x, type: a/B}]`` into ``name: ['x', 'type', 'a/B']``; other content may be lost.
    """
    for key, value in parameters.items():
        is_list = isinstance(value, (list, tuple, array))
        if key.partition('.')[0] == 'type' or (is_list and 'type' in value):
            return (
                f'ROS parameters cannot hold a list of structs: the list in {KEY} arrived as'
                f' {KEY}.{key} = {shown(value)}. {_INSTEAD}'
            )
    return ''


def _structs(parameters: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, str]]:
    """Returns the structs by name, built from dotted names, and the faults of invalid structs."""
    structs: dict[str, Any] = {}
    faults = {}
    for key, value in parameters.items():
        if key != 'names' and not insert(structs, key, value):
            faults[key.partition('.')[0]] = f'{KEY}.{key} is given as a value and as a struct'
    return structs, faults


def _listed(
    names: list[str], structs: Mapping[str, object], faults: Mapping[str, str]
) -> Iterator[Entry]:
    for index, name in enumerate(names):
        place = f'{KEY}.names[{index}]'
        if name in names[:index]:
            yield Entry(place=place, struct=None, fault=f'{name!r} is listed twice')
        elif name not in structs:
            fault = _swallowed(structs, name) or unknown('struct', name, structs)
            yield Entry(place=place, struct=None, fault=fault)
        else:
            struct = structs[name]
            fault = faults.get(name, '') or _other_name(struct, name)
            fault = fault or _list_inside(struct, (name,))
            yield Entry(place=f'{KEY}.{name}', struct=struct, name=name, fault=fault)


def _list_inside(struct: object, path: tuple[str, ...]) -> str:
    """Returns an explanation if rcl merged a list of structs inside this struct; else empty.

    ``limits: [{low: 1}, {low: 2}]`` arrives as ``limits.low.low: [1, 2]``, and the lines that
    follow may end up inside `limits`. A list of one struct, ``limits.low: [1]``, cannot be
    recognized.
    """
    for key, value in struct.items() if isinstance(struct, dict) else ():
        here = (*path, key)
        if path[1:] and key == path[-1] and isinstance(value, list):
            return (
                f'ROS parameters cannot hold a list of structs: {_ARRIVED.format(".".join(here))}'
            )
        if inside := _list_inside(value, here):
            return inside
    return ''


def _swallowed(structs: Mapping[str, object], name: str) -> str:
    """Returns an explanation if the struct of this name is nested in another; else empty."""
    for other, struct in structs.items():
        for place in _places(struct, name):
            arrived = _ARRIVED.format('.'.join((other, *place)))
            return f'is not a struct of its own: {arrived}'
    return ''


def _places(struct: object, name: str) -> Iterator[tuple[str, ...]]:
    """Yields the paths inside a struct to nested plugin structs of this name."""
    for key, value in struct.items() if isinstance(struct, dict) else ():
        if key == name and isinstance(value, dict) and 'type' in value:
            yield (key,)
        yield from ((key, *place) for place in _places(value, name))


def _other_name(struct: object, name: str) -> str:
    """Returns a fault if the struct contains a name that differs from its key; else empty."""
    inside = struct.get('name', name) if isinstance(struct, dict) else name
    return '' if inside == name else f'name must equal the key, got {shown(inside)}'
