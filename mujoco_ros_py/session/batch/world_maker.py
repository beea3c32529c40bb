"""Creates many simulations from one `SessionContent`, each with its own plugins and no thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import mujoco

from ...config import PluginConfig
from ...engine import guard_bindings, without_program_callbacks
from ...engine.resources import register_shipped
from ...log_throttle import Throttle
from ...plugins.host import PluginHost, SessionParts
from ...plugins.host.plugin_types import KnownTypes
from ...simulation import (
    Follower,
    Owner,
    Snapshot,
    SnapshotFeed,
    ThreadlessSimulation,
    for_another,
    prepare,
    urdf_text,
)
from ..content import SessionContent
from ..model_maker import ModelMaker

_NEVER_HZ = 1.0
"""The rate of a feed without followers; it has no effect."""


@dataclass(frozen=True, slots=True)
class MadeWorld:
    """A simulation without a thread, and its plugins."""

    simulation: ThreadlessSimulation
    host: PluginHost


class WorldMaker:
    """Compiles the model of a `SessionContent` once, and creates simulations of it."""

    def __init__(self, content: SessionContent) -> None:
        """Raises ConfigError and ModelError like a session."""
        guard_bindings()
        register_shipped()
        self.config = content.config
        self._initial = content.initial()
        self._models = ModelMaker(content.config)
        self._known = KnownTypes()
        self._throttle = Throttle()
        try:
            self._load(content)
        except BaseException:
            self.close()
            raise

    @without_program_callbacks()
    def _load(self, content: SessionContent) -> None:
        self._models.admit(self.config)
        try:
            source, model = self._models.make(content, self._initial)
        finally:
            self._models.end_process()
        self._prepared = prepare(model, self._initial)
        self._urdfs = {'': urdf_text(source)}
        self._plugins = content.plugins(False)

    @property
    def model(self) -> mujoco.MjModel:
        """The compiled model; worlds can share it."""
        return self._prepared.model

    @property
    def plugins(self) -> list[PluginConfig]:
        """The configured plugins."""
        return list(self._plugins.configs)

    def make(self, model: mujoco.MjModel, values: Mapping[str, Mapping[str, Any]]) -> MadeWorld:
        """Creates a simulation of `model`, the compiled model or a copy of it.

        `values` overrides the configuration of plugins, by plugin and key. Raises PluginError if
        `strict` is true and a plugin is not ready.
        """
        simulation = ThreadlessSimulation()
        host = self.load(simulation, model, values)
        return MadeWorld(simulation, host)

    def load(
        self,
        simulation: ThreadlessSimulation,
        model: mujoco.MjModel,
        values: Mapping[str, Mapping[str, Any]],
    ) -> PluginHost:
        """Loads model and plugins into a simulation; raises the same errors as `make`."""
        parts = SessionParts(
            simulation=simulation,
            feed=_NoFeed(simulation, _NEVER_HZ),
            frame_prefix=self.config.frame_prefix,
        )
        configs = [
            replace(each, config=_merged(each.config, values.get(each.name, {})))
            for each in self._plugins.configs
        ]
        host = PluginHost(
            configs,
            parts,
            classes=self._plugins.classes,
            boundscheck=self.config.boundscheck,
            strict=self.config.strict,
            urdfs=self._urdfs,
            known=self._known,
            throttle=self._throttle,
        )
        host.unregistered = tuple(map(str, self._plugins.refusals))
        host.instantiate()
        try:
            host.check()
            simulation.load_here(for_another(self._prepared, model), host, self._initial)
        except BaseException:
            host.discard()
            raise
        return host

    def close(self) -> None:
        """Ends the compiling process, and revokes the access to the content's HTTP hosts."""
        self._models.close()


class _NoFeed(SnapshotFeed):
    """The feed of a world: it never calls its followers.

    Followers observe a simulation from outside, to publish or to log. In a batch they would have
    to wait for all stepping threads.
    """

    def follow(
        self,
        rate_hz: float,
        function: Callable[[Snapshot], object],
        owner: Owner | None = None,
        *,
        thread: bool = False,
    ) -> Follower:
        """Returns a follower that is never called."""
        owner = owner or Owner.of_no_plugin('a follower')
        return Follower(
            owner.callback(getattr(function, '__qualname__', repr(function)), function)
        )


def _merged(config: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Merges values into a configuration; nested structs are merged key by key."""
    merged = dict(config)
    for key, value in values.items():
        before = merged.get(key)
        nested = isinstance(value, Mapping) and isinstance(before, Mapping)
        merged[key] = _merged(before, value) if nested else value  # type: ignore[arg-type]
    return merged
