"""Compiles the models of a session, and registers the engine plugins that they need."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import mujoco

from ..config import SessionConfig, is_plugin_type
from ..engine.engine_plugins import (
    EnginePlugin,
    load_directory,
    load_library,
    plugin_table,
    register,
)
from ..engine.engine_plugins.rules import check_class
from ..engine.resources import HostGrant, local_path
from ..errors import ConfigError, ModelError, MujocoRosError, PluginError
from ..plugins.host.description_files import Base, PluginDescription
from ..plugins.host.plugin_types import find_type, load_class, shipped_types
from ..processes import MIB, Limits, Worker
from ..simulation import InitialState, ModelCompiler, ModelSource, check_engine, compile_model
from .content import SessionContent
from .world import Spawn, check_resource


class ModelMaker:
    """Compiles models, in a separate process with `model_guard`. Use it from one thread only.

    `size` compiles the model of an entity. If the XML text uses no files and is the same as in the
    last call, it returns the same size without compiling the model again.
    """

    def __init__(self, config: SessionConfig, worker: Worker | None = None) -> None:
        """`worker` is an already started process that compiles models, or None."""
        self._hosts = HostGrant()
        self._compiler: ModelCompiler | None = None
        if config.model_guard:
            limits = Limits(
                memory=config.model_memory_limit * MIB,
                time_s=config.model_time_limit,
                memory_name='model_memory_limit',
                time_name='model_time_limit',
            )
            self._compiler = ModelCompiler(limits, worker)
        elif worker is not None:
            worker.close()
        self._last: tuple[ModelSource | None, int] = None, 0
        """The last source of an entity that was compiled for its size, and the size in bytes."""

    def admit(self, config: SessionConfig) -> None:
        """Sets the hosts and engine plugins that models can use. Raises ConfigError."""
        self._hosts.allow(config.http_hosts)
        switch_on(config.engine_plugins, boundscheck=config.boundscheck)

    def make(
        self, content: SessionContent, initial: InitialState
    ) -> tuple[ModelSource, mujoco.MjModel]:
        """Compiles the model of the content. Raises ConfigError and ModelError."""
        source = content.source()
        model = self._compile(source, initial)
        if content.config.strict:
            check_engine(model, source.name)
            initial.check(model)
        return source, model

    def sizes(self, spawns: Sequence[Spawn]) -> list[int]:
        """Returns the size of each request's model in bytes. Raises the same errors as `size`."""
        tried: list[tuple[ModelSource, int]] = []
        for spawn in spawns:
            if all(spawn.source != source for source, _ in tried):
                tried.append((spawn.source, self.size(spawn.source)))
        return [next(size for source, size in tried if source == spawn.source) for spawn in spawns]

    def size(self, source: ModelSource) -> int:
        """Compiles the model of an entity on its own; returns its size in bytes.

        Raises EntityError and ModelError.
        """
        last, size = self._last
        if source != last:
            check_resource(source)
            size = mujoco.mj_sizeModel(self._compile(source, InitialState()))
            self._last = (source, size) if source.self_contained else (None, 0)
        return size

    def end_process(self) -> None:
        """Ends the process for models; a compilation in progress fails."""
        if self._compiler is not None:
            self._compiler.close()

    def close(self) -> None:
        """Ends the process, and revokes this session's access to hosts."""
        self._hosts.end()
        self.end_process()

    def _compile(self, source: ModelSource, initial: InitialState) -> mujoco.MjModel:
        compiler = self._compiler
        if compiler is None:
            return compile_with_plugins(source, compile_model)
        return compile_with_plugins(source, lambda each: compiler.compile(each, initial))


KEY = 'engine_plugins'
"""The name of the parameter that lists engine plugins."""
_MISSING = re.compile('plugin .* not found')

_Owners = dict[str, tuple[str, type[EnginePlugin]]]
"""Maps the name of an engine plugin in MJCF to its type and class."""


def switch_on(values: Sequence[str], *, boundscheck: bool = False) -> None:
    """Registers the listed types, and loads the listed shared libraries and directories.

    Engine plugins that are already registered stay registered, even if they are no longer listed.
    Raises ConfigError, which names the entry.
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
    """Compiles a model with `compile_`; registers the shipped engine plugins only if it needs one.

    Other models do not have to wait for the registration. Raises ModelError, which lists the known
    plugins if one is missing.
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
        raise ModelError(f'{error}; known plugins: {known}; list others in {KEY}') from error


def _register(type_: str, owners: _Owners, boundscheck: bool) -> None:
    try:
        description = find_type(type_, Base.ENGINE)
    except PluginError as error:
        hint = f'; write the path as ./{type_}' if Path(type_).exists() else ''
        raise PluginError(f'{error}{hint}') from error
    plugin = _class(description)
    other, owner = owners.setdefault(plugin.name, (type_, plugin))
    if owner is not plugin:
        raise PluginError(f'{type_} has the same name {plugin.name!r} as {other}')
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
    """Registers each shipped plugin once, unless a user's class has the same name."""
    for description in shipped_types(Base.ENGINE):
        plugin = _class(description)
        if not plugin_table.find(plugin.name):
            register(plugin)
