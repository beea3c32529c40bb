"""Reads the parameter MujocoPlugins, in any of its three forms, into a list of plugin entries."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ..errors import ConfigError
from .native_plugins import read_native
from .plugin_groups import KEY as MEMBERS
from .plugin_groups import is_group, read_group
from .plugin_registration import KEY, Entry
from .wording import kind, shown
from .yaml_text import load_yaml, read_yaml_file

LocalPath = Callable[[str], 'str | Path']
"""Returns the local path of ``package://<package>/<path>``; raises ConfigError."""
MAX_PLUGINS = 1000
"""The maximum number of plugins; a longer list is a mistake or an attack."""


def read_plugins(value: object, local_path: LocalPath) -> list[Entry]:
    """Reads the entries in any form: a string, a list, or a mapping of ROS parameters.

    The keys of the mapping are the parameter names after ``MujocoPlugins.``. An empty string
    means no plugins. Raises ConfigError if the value as a whole is unreadable.
    """
    entries = _entries(value, local_path)
    if len(entries) > MAX_PLUGINS:
        raise ConfigError(f'{KEY} may have at most {MAX_PLUGINS} plugins, got {len(entries)}')
    return entries


def _entries(value: object, local_path: LocalPath) -> list[Entry]:
    if isinstance(value, Mapping) and set(value) != {KEY}:
        return [each for entry in read_native(value) for each in _members(entry)]
    if not isinstance(value, str):
        return read_list(value, KEY)
    if not value.strip():
        return []
    path = plugin_file(value, local_path)
    return read_text(value, KEY) if path is None else read_file(path)


def _members(entry: Entry) -> Iterator[Entry]:
    """Yields the entries of a group, or the entry itself."""
    struct = entry.struct
    if entry.fault or not isinstance(struct, Mapping) or not is_group(struct):
        yield entry
        return
    where = f'{entry.place}.{MEMBERS}'
    try:
        group = read_group(struct, entry.name, quoted=entry.quoted)
        members = struct[MEMBERS]
        inside = (
            read_native(members)
            if isinstance(members, Mapping)
            else _elements(members, where, quoted=entry.quoted)
        )
    except ConfigError as error:
        yield replace(entry, fault=str(error))
        return
    for member in inside:
        fault = member.fault or ('groups cannot be nested' if is_group(member.struct) else '')
        place = (
            member.place.replace(KEY, where, 1) if isinstance(members, Mapping) else member.place
        )
        yield replace(member, place=place, fault=fault, group=group, quoted=entry.quoted)


def check_plugins(value: object, local_path: LocalPath) -> None:
    """Raises ConfigError for a string that is neither a list of plugins nor a file name.

    The file is not read, because it may change before it is used.
    """
    if not isinstance(value, str):
        raise ConfigError(f'{KEY} must be a string, or structs by name, got {shown(value)}')
    if value.strip() and plugin_file(value, local_path) is None:
        read_plugins(value, local_path)


def plugin_file(value: str, local_path: LocalPath) -> Path | None:
    """Returns the file that a string parameter names, or None if the string is the list itself."""
    name = value.strip()
    if '\n' in name:
        return None
    if name.startswith('package://'):
        return Path(local_path(name))
    path = os.path.expanduser(name)
    return Path(path) if path.endswith(('.yaml', '.yml')) or os.path.isfile(path) else None


def read_file(path: Path) -> list[Entry]:
    """Reads the list in a YAML file, at the top level or under the key MujocoPlugins.

    Anyone who can set a parameter can name any file, so errors do not quote the file's content.
    """
    return read_list(read_yaml_file(path, quoted=False), str(path), quoted=False)


def read_text(text: str, where: str) -> list[Entry]:
    """Reads the list in YAML text; `where` identifies the text in messages."""
    return read_list(load_yaml(text, where), where)


def read_list(value: object, where: str, *, quoted: bool = True) -> list[Entry]:
    """Returns the elements of a list, or of the list under the only key MujocoPlugins.

    A group is replaced by its plugins. Unless `quoted`, errors do not show the elements.
    """
    entries = _elements(value, where, quoted=quoted)
    return [each for entry in entries for each in _members(entry)]


def _elements(value: object, where: str, *, quoted: bool) -> list[Entry]:
    if isinstance(value, Mapping) and set(value) == {KEY}:
        value = value[KEY]
    if isinstance(value, (list, tuple)):
        return [
            Entry(place=f'{where}[{index}]', struct=struct, quoted=quoted)
            for index, struct in enumerate(value)
        ]
    raise ConfigError(
        f'{where} must be a list of structs, or a struct whose only key {KEY} holds this list,'
        f' got {_came(value) if quoted else kind(value)}'
    )


def _came(value: object) -> str:
    if value is None:
        return 'nothing'
    if isinstance(value, Mapping):
        return f'a struct with the keys: {", ".join(map(str, value))}'
    if isinstance(value, str):
        return f'the string {shown(value)}, which names no file'
    return shown(value)
