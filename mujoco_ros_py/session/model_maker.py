"""Compiles the models of a session: the model of its content, and the models of entities."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco

from ..config import SessionConfig
from ..engine.resources import HostGrant
from ..isolation import MIB, Limits, Worker
from ..simulation import InitialState, ModelCompiler, ModelSource, check_engine, compile_model
from .engine_plugin_loading import compile_with_plugins, switch_on
from .session_content import SessionContent
from .world import Spawn, check_resource


class ModelMaker:
    """Compiles models, with `model_guard` in a process of its own; one thread calls the methods.

    An entity's text that names no file is not compiled again if it was the last that compiled.
    """

    def __init__(self, config: SessionConfig, worker: Worker | None = None) -> None:
        """`worker` is a process for models (`ModelCompiler.TASK`), if one has been started."""
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
        """The entity's text that was tried last, and the bytes of its model."""

    def admit(self, config: SessionConfig) -> None:
        """Admits the hosts and the engine plugins that models may name from now on.

        Raises ConfigError.
        """
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
        """Tries the model of each request; returns the bytes that each takes. Raises as `size`."""
        tried: list[tuple[ModelSource, int]] = []
        for spawn in spawns:
            if all(spawn.source != source for source, _ in tried):
                tried.append((spawn.source, self.size(spawn.source)))
        return [next(size for source, size in tried if source == spawn.source) for spawn in spawns]

    def size(self, source: ModelSource) -> int:
        """Compiles the model of an entity by itself; returns the bytes that it takes.

        Raises EntityError and ModelError.
        """
        last, size = self._last
        if source != last:
            check_resource(source)
            size = mujoco.mj_sizeModel(self._compile(source, InitialState()))
            self._last = (source, size) if source.self_contained else (None, 0)
        return size

    def end_process(self) -> None:
        """Ends the process for models; a compilation that is under way fails."""
        if self._compiler is not None:
            self._compiler.close()

    def close(self) -> None:
        """Ends the process, and closes the hosts of models for this session."""
        self._hosts.end()
        self.end_process()

    def _compile(self, source: ModelSource, initial: InitialState) -> mujoco.MjModel:
        compiler = self._compiler
        if compiler is None:
            return compile_with_plugins(source, compile_model)
        return compile_with_plugins(source, lambda each: compiler.compile(each, initial))
