"""Registers the engine plugins that the configuration lists, and those that ship."""

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
from ..plugins.host.description_files import Base, PluginDescription
from ..plugins.host.plugin_types import find_type, load_class, shipped_types
from ..simulation import ModelSource, compile_model

KEY = 'engine_plugins'
"""The name of the parameter that lists them."""
_MISSING = re.compile('plugin .* not found')

_Owners = dict[str, tuple[str, type[EnginePlugin]]]
"""The type and the class of each engine plugin, by its name in MJCF."""


def switch_on(values: Sequence[str], *, boundscheck: bool = False) -> None:
    """Registers the types, and loads the shared libraries and the directories that are listed.

    A plugin that is there already stays as it is, also if it is not listed any more. Raises
    ConfigError that names the entry.
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
    """Compiles a model by `compile_`, and registers the shipped engine plugins if it lacks one.

    Other models do not wait for that. Raises ModelError, which names the known plugins if one is
    missing.
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
        raise PluginError(f'{type_} has the name {plugin.name!r}, as {other} has')
    register(plugin, boundscheck=boundscheck)


def _class(description: PluginDescription) -> type[EnginePlugin]:
    found = load_class(description)
    if not issubclass(found, EnginePlugin):
        raise PluginError(
            f'{description.name}: {found.__qualname__} does not derive from EnginePlugin'
        )
    check_class(found)
    return found


def _load(path: Path) -> None:
    if path.is_dir():
        load_directory(path)
    else:
        load_library(path)


@cache
def _register_shipped() -> None:
    """Registers the shipped plugins once, but not over a user's class of the same name."""
    for description in shipped_types(Base.ENGINE):
        plugin = _class(description)
        if not plugin_table.find(plugin.name):
            register(plugin)
