"""Manages the lifecycle of all plugins, and isolates their faults from each other."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import mujoco

from ...config import PluginConfig
from ...engine import Callback, CallbackTable
from ...errors import PluginError
from ...log_throttle import Throttle
from ...simulation import ModelChange, OwnedCallback, PluginSet
from . import mixin_calls
from .callback_methods import check_callbacks
from .callback_rows import CallbackRows
from .environment import Environment, move
from .hosted_plugin import HostedPlugin
from .loaded_plugins import LoadedPlugins
from .plugin_readiness import PluginReadiness
from .plugin_types import KnownTypes, load_class
from .render_callback import Painter, painter, painting
from .ros_connection import unanswerable
from .session_parts import SessionParts

_log = logging.getLogger(__name__)


class PluginHost(PluginReadiness):
    """The plugins of one load of a session, in configuration order.

    Any thread may call `instantiate`; the simulation calls everything else on the physics thread.
    """

    def __init__(
        self,
        configs: Sequence[PluginConfig],
        parts: SessionParts,
        *,
        classes: Mapping[str, type[Any]] | None = None,
        boundscheck: bool = False,
        strict: bool = False,
        same_model: bool = False,
        urdfs: Mapping[str, str] | None = None,
        known: KnownTypes | None = None,
        throttle: Throttle | None = None,
    ) -> None:
        """`classes` maps types to classes directly; `known` finds the classes of all other types.

        Set `same_model` if the model is the one that is already running. `urdfs` maps the prefixes
        of robots' names to their URDF texts. A `throttle` limits how often faults of the same
        origin are logged.
        """
        submit = parts.simulation.submit
        super().__init__(
            [HostedPlugin(config, submit, throttle) for config in configs], strict=strict
        )
        self._parts = parts
        self._loaded = LoadedPlugins(
            costs=lambda: {hosted.name: hosted.costs_ns() for hosted in self.plugins},
            stop=lambda *stop: mixin_calls.stop_plugins(self.plugins, *stop),
            urdfs=urdfs or {},
        )
        self._classes = classes or {}
        self._known = known or KnownTypes()
        self._boundscheck = boundscheck
        self._same_model = same_model
        self._joined = False
        """Whether the simulation continues with a changed model, without a reset."""
        self._made: dict[str, list[Callback]] = {}
        """The callbacks of plugins that were loaded while the old ones were still loaded, by
        name."""
        self._new: set[str] = set()
        """The names of the plugins that were loaded, not taken over from the previous host."""
        self._draws = False
        self._rows = CallbackRows()
        self.configure = mixin_calls.LiveValues()
        """Applies a configuration with other live values to a plugin."""

    @property
    def painters(self) -> tuple[Painter, ...]:
        """The render callbacks of all plugins, as in `Rendering.painters`."""
        return self._loaded.painters

    def check_classes(self, types: Collection[str]) -> None:
        """Raises PluginError for the first plugin of these types whose class is unusable."""
        for hosted in self.plugins:
            if hosted.config.type in types:
                try:
                    check_callbacks(self._find(hosted.config.type))
                except PluginError as error:
                    _log.error('%s', error, exc_info=error.__cause__)
                    raise

    def instantiate(self) -> None:
        """Finds the classes of all plugins, and constructs each plugin."""
        for hosted in self.plugins:
            environment = Environment(
                self._parts, self._loaded, hosted.owner, hosted.name,
                boundscheck=self._boundscheck, group=hosted.config.group,
            )  # fmt: skip
            hosted.construct(self._find, environment, self._parts.ros.node)

    def take_over(self, before: PluginSet) -> None:
        """Takes over the plugins that can stay unchanged, before the others are unloaded.

        `load` then calls `adapt` on them instead of `load`.
        """
        if self._same_model:
            self._take(before, self._staying(before, live=False))

    def join(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        before: PluginSet,
        *,
        beside: bool = False,
    ) -> None:
        """Takes over the plugins that can stay when the model changes and the time continues.

        `load` then calls `adapt` on them, but not `reset`. With `beside`, this method also loads
        the other plugins while the old ones are still loaded. With `strict`, it then raises
        PluginError if one of them refuses, and changes nothing.
        """
        stay = self._staying(before, live=True)
        if beside:
            self._load_beside(model, data, stay)
        self._take(before, stay)
        self._joined = True

    def _staying(self, before: PluginSet, *, live: bool) -> dict[str, HostedPlugin]:
        if not isinstance(before, PluginHost):
            return {}
        return mixin_calls.staying(before.plugins, self.plugins, live=live)

    def _take(self, before: PluginSet, stay: Mapping[str, HostedPlugin]) -> None:
        """Moves old plugins into this host."""
        if isinstance(before, PluginHost):
            before.plugins = [each for each in before.plugins if each.name not in stay]
        self.discard(stay)
        self.plugins = [stay.get(each.name, each) for each in self.plugins]
        for hosted in stay.values():
            assert hosted.plugin is not None
            move(hosted.plugin.environment, self._loaded)

    def _load_beside(
        self, model: mujoco.MjModel, data: mujoco.MjData, stay: Mapping[str, HostedPlugin]
    ) -> None:
        """Loads the new plugins; they can already look up the plugins that stay."""
        self._loaded.model = model
        for hosted in self.plugins:
            if hosted.name in stay:
                plugin = stay[hosted.name].plugin
                assert plugin is not None
                self._loaded.by_name[hosted.name] = plugin
            else:
                self._made[hosted.name] = self._load_new(hosted, model, data)
        try:
            self.check()
        except PluginError:
            self.discard(stay)
            self.plugins = [each for each in self.plugins if each.name not in stay]
            self.unload()
            raise

    def _load_new(
        self, hosted: HostedPlugin, model: mujoco.MjModel, data: mujoco.MjData
    ) -> list[Callback]:
        """Loads a plugin that was not taken over; returns its callbacks."""
        made = hosted.load(model, data, boundscheck=self._boundscheck)
        self._new.add(hosted.name)
        self._introduce(hosted)
        return made

    def _introduce(self, hosted: HostedPlugin) -> None:
        """Adds a plugin, if it is ready, to the mapping in which other plugins find it."""
        if hosted.ready:
            assert hosted.plugin is not None
            self._loaded.by_name[hosted.name] = hosted.plugin
            hosted.list_in(self._loaded.by_name)

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """Loads all plugins; returns the callbacks of those that do not refuse.

        With `strict`, unloads all plugins and raises PluginError if a plugin refuses, or if no
        plugin subscribes to a lockstep topic.
        """
        self._loaded.model = model
        exchange = self._parts.simulation.exchange
        others = (
            Counter() if any(each.ready for each in self.plugins) else Counter(exchange.awaited)
        )
        callbacks: list[tuple[Callback, HostedPlugin]] = []
        for hosted in self.plugins:
            made = self._made.pop(hosted.name, None)
            if made is None:
                made = self._adapt_or_load(hosted, model, data)
            callbacks += [(callback, hosted) for callback in made]
        table = self._rows.table(self.plugins, callbacks)
        if self._joined:  # the simulation continues even if a plugin fails
            return table
        try:
            own = list(Counter(exchange.awaited) - others)  # without topics of the old plugins
            self.check(unanswerable(self._parts.ros, own))
        except PluginError:
            self.unload()
            raise
        return table

    def _adapt_or_load(
        self, hosted: HostedPlugin, model: mujoco.MjModel, data: mujoco.MjData
    ) -> list[Callback]:
        """Loads a new plugin, or adapts a plugin that was taken over; returns its callbacks."""
        if not hosted.ready:
            return self._load_new(hosted, model, data)
        made = hosted.adapt(model, data, boundscheck=self._boundscheck)
        if not self._joined:
            mixin_calls.start_again(hosted, model, data)
        self._introduce(hosted)
        return made

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Activates the plugins' render callbacks, and calls `after_load`."""
        ready = [hosted for hosted in self.plugins if hosted.ready]
        if not self._joined:
            for problem in unanswerable(self._parts.ros, self._parts.simulation.exchange.awaited):
                _log.error('%s', problem)
        self._draws = True
        self._paint_with(
            [painting(each.owner, each.render) for each in ready if each.render is not None]
        )
        for hosted in ready:
            if hosted.name in self._new or not self._joined:
                hosted.tell('after_load', lambda plugin: plugin.after_load(model, data))

    def restore_model(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Calls `restore_model` of all plugins that derive from `Hardware`."""
        mixin_calls.restore_model(self.plugins, model, data)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Calls `reset` on every ready plugin."""
        for hosted in self.plugins:
            if hosted.ready:
                hosted.reset(model, data)

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, changes: Sequence[ModelChange]
    ) -> None:
        """Notifies every ready plugin of each changed element of the model."""
        mixin_calls.tell_changes(self.plugins, model, data, changes)

    def save(self) -> dict[str, Any]:
        """Returns the saved data of each plugin. Raises PluginError if a plugin fails to save."""
        return mixin_calls.save_parts(self.plugins)

    def check_saved(self, saved: Mapping[str, Any]) -> None:
        """Raises SimulationError if a plugin refuses its saved data; restores nothing."""
        mixin_calls.check_parts(self.plugins, saved)

    def restore(self, saved: Mapping[str, Any]) -> list[str]:
        """Restores saved data, but no live values; returns a message for each unmatched plugin."""
        return mixin_calls.restore_parts(self.plugins, saved, self.configure)

    def discard(self, names: Collection[str] | None = None) -> None:
        """Closes the resources of plugins that are not loaded: those in `names`, or all."""
        for hosted in self.plugins:
            if names is None or hosted.name in names:
                hosted.discard()

    def unload(self) -> None:
        """Unloads the plugins in reverse order."""
        if self._draws:  # otherwise the plugins of the last load still draw
            self._paint_with(())
        for hosted in reversed(self.plugins):
            if hosted.has_to_unload:
                hosted.unload()
                self._loaded.by_name.pop(hosted.name, None)
        for hosted in self.plugins:
            hosted.discard()
            hosted.forget()
        self._loaded.closed = True

    def describe(self, callback: int) -> str:
        """Returns the name of a callback in the table."""
        return self._rows.describe(callback)

    def _find(self, type_: str) -> type[Any]:
        return self._classes.get(type_) or load_class(self._known.find(type_))

    def _paint_with(self, callbacks: Sequence[OwnedCallback]) -> None:
        """Sets the callbacks that add geoms to images, and replaces all earlier ones."""
        self._loaded.painters = tuple(map(painter, callbacks))
        if self._parts.rendering is not None:
            self._parts.rendering.paint_with(callbacks)
