"""The three forms of MujocoPlugins; each ends in a list of entries for the registration."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..errors import ConfigError
from .files import read_small_file
from .native_plugins import read_native
from .plugin_registration import KEY, Entry
from .wording import kind, shown
from .yaml_text import MAX_BYTES, load_yaml

LocalPath = Callable[[str], 'str | Path']
"""Finds the path of a ``package://<package>/<path>``; raises ConfigError."""
MAX_PLUGINS = 1000
"""A longer list is a mistake, or is to keep the server busy."""


def read_plugins(value: object, local_path: LocalPath) -> list[Entry]:
    """The entries of any form: native parameters as a mapping, a string, or a list of structs.

    An empty string is no plugins. Raises ConfigError where the whole cannot be read.
    """
    entries = _entries(value, local_path)
    if len(entries) > MAX_PLUGINS:
        raise ConfigError(f'{KEY} may have at most {MAX_PLUGINS} plugins, got {len(entries)}')
    return entries


def _entries(value: object, local_path: LocalPath) -> list[Entry]:
    if isinstance(value, Mapping) and set(value) != {KEY}:
        return read_native(value)
    if not isinstance(value, str):
        return read_list(value, KEY)
    if not value.strip():
        return []
    path = plugin_file(value, local_path)
    return read_text(value, KEY) if path is None else read_file(path)


def check_plugins(value: object, local_path: LocalPath) -> None:
    """Raises ConfigError for a string that is neither a list of plugins nor the name of a file.

    The file is not read: it may change until it is.
    """
    if not isinstance(value, str):
        raise ConfigError(f'{KEY} must be a string, or structs by name, got {shown(value)}')
    if value.strip() and plugin_file(value, local_path) is None:
        read_plugins(value, local_path)


def plugin_file(value: str, local_path: LocalPath) -> Path | None:
    """The file that a string parameter names; None: it is the list itself."""
    name = value.strip()
    if '\n' in name:
        return None
    if name.startswith('package://'):
        return Path(local_path(name))
    path = os.path.expanduser(name)
    return Path(path) if path.endswith(('.yaml', '.yml')) or os.path.isfile(path) else None


def read_file(path: Path) -> list[Entry]:
    """The list in a YAML file, at the top level or under the key MujocoPlugins.

    Whoever sets a parameter may name any file: errors quote nothing of one.
    """
    content = read_small_file(path, MAX_BYTES, ConfigError)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f'{path}: must be UTF-8 text, byte {error.start} is not') from None
    return read_list(load_yaml(text, str(path), quoted=False), str(path), quoted=False)


def read_text(text: str, where: str) -> list[Entry]:
    """The list in YAML text; `where` names the text in messages."""
    return read_list(load_yaml(text, where), where)


def read_list(value: object, where: str, *, quoted: bool = True) -> list[Entry]:
    """The elements of a list, or of the list under the only key MujocoPlugins.

    Unless `quoted`, what is wrong with them is said without what they are.
    """
    if isinstance(value, Mapping) and set(value) == {KEY}:
        value = value[KEY]
    if isinstance(value, (list, tuple)):
        return [
            Entry(place=f'{where}[{index}]', struct=struct, quoted=quoted)
            for index, struct in enumerate(value)
        ]
    raise ConfigError(
        f'{where} must be a list of structs, or a struct with the single key {KEY} that holds one,'
        f' got {_came(value) if quoted else kind(value)}'
    )


def _came(value: Any) -> str:
    if value is None:
        return 'nothing'
    if isinstance(value, Mapping):
        return f'a struct with the keys: {", ".join(map(str, value))}'
    if isinstance(value, str):
        return f'the string {shown(value)}, which names no file'
    return shown(value)
