"""Registers plugins: checks which entries of MujocoPlugins are valid, and assigns names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import ConfigError
from .plugin_groups import NO_GROUP, Group
from .wording import kind, shown

KEY = 'MujocoPlugins'
"""The name of the parameter."""

_OWN_KEYS = ('type', 'name')
_TYPE = re.compile(r'[A-Za-z][\w-]*/[A-Za-z_]\w*', re.ASCII)
_NAME = re.compile(r'[A-Za-z]\w*', re.ASCII)
_WORD_START = re.compile(r'(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])')


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused entry and the reason; `str` returns both as a line for the log."""

    place: str
    """The location of the entry, such as ``MujocoPlugins[2]``."""
    reason: str

    def __str__(self) -> str:
        return f'{self.place}: {self.reason}'


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """An element of MujocoPlugins as written, before any checks."""

    place: str
    """The location of the entry in messages, such as ``MujocoPlugins[2]`` or
    ``MujocoPlugins.arm``."""
    struct: object
    name: str | None = None
    """The name given by the location; None to use the struct's `name`, or a name derived from its
    type."""
    fault: str = ''
    """The fault that the reader found in the entry; empty if it found no fault."""
    implicit: bool = False
    """Whether the server added the entry automatically."""
    quoted: bool = True
    """Whether errors can show the entry."""
    group: Group = NO_GROUP
    """The group that contains the entry."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PluginConfig:
    """The registration of one plugin: its name, its type and its configuration."""

    name: str
    """The name, unique in the server: letters, digits and underscores, starting with a letter.

    In a group, the namespace precedes it: ``left/arm``.
    """
    type: str
    """The type as ``package/Class``; its existence is not checked yet."""
    config: Mapping[str, Any]
    """The entry without `type` and `name`."""
    implicit: bool = False
    """Whether the server added the plugin automatically."""
    group: Group = NO_GROUP
    """The group that contains the plugin."""


def register(entries: Iterable[Entry]) -> tuple[list[PluginConfig], list[Refusal]]:
    """Returns the plugins in the given order, and the refused entries with their reasons."""
    accepted: list[tuple[Mapping[str, Any], str | None, Entry]] = []
    refusals: list[Refusal] = []
    places: dict[str, str] = {}
    for entry in entries:
        try:
            struct, name = _checked(entry)
            if name in places:
                raise ConfigError(f'name {name!r} is taken by {places[name]}')
        except ConfigError as error:
            refusals.append(Refusal(entry.place, str(error)))
            continue
        if name is not None:
            places[name] = entry.place
        accepted.append((struct, name, entry))
    return _named(accepted, set(places)), refusals


def is_plugin_type(text: str) -> bool:
    """Returns whether a string has the form ``package/Class``."""
    return _TYPE.fullmatch(text) is not None


def _checked(entry: Entry) -> tuple[Mapping[str, Any], str | None]:
    """Returns the struct and the name given in it. Raises ConfigError for an invalid entry."""
    struct = entry.struct
    if entry.fault:
        raise ConfigError(entry.fault)
    came = shown if entry.quoted else kind
    if not isinstance(struct, Mapping):
        raise ConfigError(f"must be a struct with a 'type', got {came(struct)}")
    for key in struct:
        if not isinstance(key, str):
            raise ConfigError(f'keys must be strings, got {came(key)}')
    if 'type' not in struct:
        keys = f', got only: {", ".join(struct) or "nothing"}' if entry.quoted else ''
        raise ConfigError(f"must have a 'type'{keys}")
    if not isinstance(struct['type'], str) or not is_plugin_type(struct['type']):
        raise ConfigError(f'type must have the form package/Class, got {came(struct["type"])}')
    name = struct.get('name') if entry.name is None else entry.name
    if name is None:
        return struct, None
    if isinstance(name, str) and _NAME.fullmatch(name):
        return struct, entry.group.full_name(name)
    raise ConfigError(
        f'name must be letters, digits and underscores, a letter first, got {came(name)}'
    )


def _named(
    accepted: Iterable[tuple[Mapping[str, Any], str | None, Entry]], taken: set[str]
) -> list[PluginConfig]:
    """Names the plugins that have no name; the names differ from all given names."""
    plugins = []
    for struct, given, entry in accepted:
        name = given or _free_name(struct['type'], entry.group, taken)
        taken.add(name)
        plugins.append(
            PluginConfig(
                name=name,
                type=struct['type'],
                config={key: value for key, value in struct.items() if key not in _OWN_KEYS},
                implicit=entry.implicit,
                group=entry.group,
            )
        )
    return plugins


def _free_name(plugin_type: str, group: Group, taken: set[str]) -> str:
    """Returns the class name in snake case, with a suffix _2, _3 and so on if it is taken."""
    stem = group.full_name(_WORD_START.sub('_', plugin_type.partition('/')[2]).lower())
    name, count = stem, 1
    while name in taken:
        count += 1
        name = f'{stem}_{count}'
    return name
