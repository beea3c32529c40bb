"""Engine plugins for the server: those that its parameter lists, and those that ship."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import mujoco

from ..config import is_plugin_type
from ..engine.engine_plugins import (
    EnginePlugin,
    load_directory,
    load_library,
    plugin_table,
    register,
)
from ..engine.engine_plugins.rules import check_class
from ..engine.resources import local_path
from ..errors import ConfigError, ModelError, MujocoRosError, PluginError
from ..plugins.description_files import Base, PluginDescription
from ..plugins.plugin_types import find_type, load_class, shipped_types
from ..simulation import ModelSource, compile_model

KEY = 'engine_plugins'
"""The parameter."""
_MISSING = re.compile('plugin .* not found')

_Owners = dict[str, tuple[str, type[EnginePlugin]]]
"""Type and class by the name in MJCF."""


def switch_on(values: Sequence[str], *, boundscheck: bool = False) -> None:
    """Registers and loads what is listed: types, shared libraries, directories of them.

    What is there already stays as it is; what was listed before and is not any more stays too.
    Raises ConfigError that names the entry.
    """
    owners: _Owners = {}
    for index, value in enumerate(values):
        try:
            if is_plugin_type(value):
                _register(value, owners, boundscheck)
            else:
                _load(local_path(value))
        except MujocoRosError as error:
            raise ConfigError(f'{KEY}[{index}]: {error}') from error


def compile_with_plugins(
    source: ModelSource, compile_: Callable[[ModelSource], mujoco.MjModel] = compile_model
) -> mujoco.MjModel:
    """The compiled model; those engine plugins that ship are registered when a model lacks one.

    Other models should not have to wait for that. `compile_` compiles. Raises ModelError, which
    says what plugins there are where one is missing.
    """
    try:
        return compile_(source)
    except ModelError as error:
        if not _MISSING.search(str(error)):
            raise
    _register_shipped()
    try:
        return compile_(source)
    except ModelError as error:
        if not _MISSING.search(str(error)):
            raise
        known = ', '.join(plugin_table.names())
        raise ModelError(f'{error}; known plugins: {known}; {KEY} adds others') from error


def _register(type_: str, owners: _Owners, boundscheck: bool) -> None:
    try:
        description = find_type(type_, Base.ENGINE)
    except PluginError as error:
        hint = f'; the path is written ./{type_}' if Path(type_).exists() else ''
        raise PluginError(f'{error}{hint}') from error
    plugin = _class(description)
    other, owner = owners.setdefault(plugin.name, (type_, plugin))
    if owner is not plugin:
        raise PluginError(f'{type_} has the name {plugin.name!r}, which {other} has')
    register(plugin, boundscheck=boundscheck)


def _class(description: PluginDescription) -> type[EnginePlugin]:
    found = load_class(description)
    if not issubclass(found, EnginePlugin):
        raise PluginError(f'{description.name}: {found.__qualname__} is no EnginePlugin')
    check_class(found)
    return found


def _load(path: Path) -> None:
    if path.is_dir():
        load_directory(path)
    else:
        load_library(path)


@cache
def _register_shipped() -> None:
    """Once, and a class that a user put in the place of one stays."""
    for description in shipped_types(Base.ENGINE):
        plugin = _class(description)
        if not plugin_table.find(plugin.name):
            register(plugin)
