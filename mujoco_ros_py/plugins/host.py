"""Runs plugins through their life together, and keeps one plugin's fault from the others."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import mujoco

from ..config import PluginConfig
from ..engine import Callback, CallbackTable, Point
from ..errors import ConfigError, PluginError
from ..log_throttle import Throttle
from ..simulation import Duty, Extensions
from .contract import MujocoPlugin
from .environment import Environment, move
from .hosted import HostedPlugin
from .painting import RENDER
from .population import Population
from .surroundings import Surroundings
from .types import KnownTypes, load_class

_log = logging.getLogger(__name__)


class PluginHost:
    """The plugins of one load of a session, in the order of their configuration.

    `instantiate` on any thread; the rest is called by the simulation, on the physics thread.
    """

    def __init__(
        self,
        configs: Sequence[PluginConfig],
        surroundings: Surroundings,
        *,
        classes: Mapping[str, type[Any]] | None = None,
        boundscheck: bool = False,
        strict: bool = False,
        same_model: bool = False,
    ) -> None:
        """`classes` are those of types that need not be looked for; `same_model`: as before."""
        self.plugins = [HostedPlugin(config) for config in configs]
        self.loaded = 0
        """How many of the configured plugins were ready when `load` was done."""
        self.unregistered: Sequence[str] = ()
        """Why entries of the configuration are not among the plugins."""
        self._surroundings = surroundings
        self._population = Population(costs=self._costs_ns)
        self._classes = classes or {}
        self._boundscheck = boundscheck
        self._strict = strict
        self._same_model = same_model
        self._draws = False
        self._owners: list[tuple[HostedPlugin, Point]] = []
        self._refusals = Throttle()

    @property
    def configured(self) -> list[HostedPlugin]:
        """Without those that the server adds by itself."""
        return [hosted for hosted in self.plugins if not hosted.config.implicit]

    @property
    def summary(self) -> list[str]:
        """How many plugins of how many are ready, and why the others are not; or nothing."""
        total = len(self.configured) + len(self.unregistered)
        ready = sum(hosted.ready for hosted in self.configured)
        return [f'{ready} of {total} plugins ready', *self.refusals] if total else self.refusals

    @property
    def refusals(self) -> list[str]:
        """Why which plugins are not ready."""
        refused = [f'{each.name}: {each.reason}' for each in self.plugins if each.refused]
        return [*self.unregistered, *refused]

    def check(self) -> None:
        """Raises PluginError where all plugins have to be ready and one is not."""
        if self._strict and self.refusals:
            reasons = '; '.join(self.refusals)
            raise PluginError(f'strict is true, and not every plugin is ready: {reasons}')

    def instantiate(self) -> None:
        """Finds the classes and constructs the plugins."""
        known, around = KnownTypes(), self._surroundings

        def find(type_: str) -> type[Any]:
            return self._classes.get(type_) or load_class(known.resolve(type_))

        for hosted in self.plugins:
            environment = Environment(around, self._population, hosted.owner, hosted.name)
            hosted.construct(find, environment, around.communication.node)

    def succeed(self, before: Extensions) -> None:
        """Takes over, before `before` is unloaded, the plugins that can stay as they are.

        Those are told of the new model by `adapt` in place of `load`.
        """
        if not self._same_model or not isinstance(before, PluginHost):
            return
        there = {hosted.name: hosted for hosted in before.plugins}
        staying = {
            new.name: there[new.name]
            for new in self.plugins
            if new.name in there and _stays(there[new.name], new)
        }
        before.plugins = [each for each in before.plugins if each.name not in staying]
        self.plugins = [staying.get(each.name, each) for each in self.plugins]
        for hosted in staying.values():
            assert hosted.plugin is not None
            move(hosted.plugin.environment, self._population)

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """Loads what was instantiated; the callbacks of those that did not refuse.

        With `strict` raises PluginError, all unloaded again, if one did.
        """
        self._population.model = model
        callbacks: list[tuple[Callback, HostedPlugin]] = []
        for hosted in self.plugins:
            if hosted.ready:
                made = hosted.adapt(model, data, boundscheck=self._boundscheck)
                hosted.reset(model, data)
            else:
                made = hosted.load(model, data, boundscheck=self._boundscheck)
            if hosted.ready:
                assert hosted.plugin is not None
                self._population.loaded[hosted.name] = hosted.plugin
            callbacks += [(callback, hosted) for callback in made]
        table = self._table(callbacks)
        self.loaded = sum(hosted.ready for hosted in self.configured)
        try:
            self.check()
        except PluginError:
            self.unload()
            raise
        return table

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """The simulation is that of these plugins now: they draw, and tell what is told once."""
        ready = [hosted for hosted in self.plugins if hosted.ready]
        self._draws = True
        self._paint_with(
            [each.owner.duty(RENDER, each.render) for each in ready if each.render is not None]
        )
        for hosted in ready:
            hosted.tell('after_load', lambda plugin: plugin.after_load(model, data))

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Tells every loaded plugin."""
        for hosted in self.plugins:
            if hosted.ready:
                hosted.reset(model, data)

    def save(self) -> dict[str, Any]:
        """What each loaded plugin saves. Raises PluginError for those that cannot."""
        ready = [hosted for hosted in self.plugins if hosted.ready]
        saved = {each.name: each.tell('save', lambda plugin: plugin.save()) for each in ready}
        if failed := [each for each in ready if not each.ready]:
            reasons = '; '.join(f'{each.name}: {each.reason}' for each in failed)
            raise PluginError(f'the state is not saved: {reasons}')
        return saved

    def restore(self, saved: Mapping[str, Any]) -> list[str]:
        """Gives each loaded plugin what it saved; a sentence for each that has saved nothing."""
        ready = [hosted for hosted in self.plugins if hosted.ready]
        for hosted in ready:
            if hosted.name in saved:
                hosted.tell('restore', lambda plugin: plugin.restore(saved[plugin.name]))
        unsaved = [each.name for each in ready if each.name not in saved]
        gone = [name for name in saved if name not in {each.name for each in ready}]
        return [
            *(f'plugin {name!r} was not there when the state was saved' for name in unsaved),
            *(f'plugin {name!r}, whose state was saved, is not there' for name in gone),
        ]

    def configure(self, hosted: HostedPlugin, config: Any) -> ConfigError | None:
        """Hands a ready plugin its configuration with other live values.

        Returns why the plugin keeps what it has, if it does; the log has it too.
        """

        def configure(plugin: MujocoPlugin[Any]) -> ConfigError | None:
            try:
                plugin.configure(config)
            except ConfigError as error:
                self._keeps(hosted, error)
                return error
            plugin.config = config
            return None

        refused: ConfigError | None = hosted.tell('configure', configure)
        return refused

    def unload(self) -> None:
        """Unloads what was loaded, in reverse order."""
        if self._draws:  # else those of before still do
            self._paint_with(())
        for hosted in reversed(self.plugins):
            if hosted.has_to_unload:
                hosted.unload()
                self._population.loaded.pop(hosted.name, None)
        for hosted in self.plugins:
            hosted.forget()
        self._population.closed = True

    def describe(self, callback: int) -> str:
        """Names the owner of a row of the table."""
        try:
            hosted, point = self._owners[callback]
        except IndexError:  # asked from another thread while the plugins change
            return f'callback {callback}'
        return f'{point.method} of plugin {hosted.name!r}'

    def _table(self, callbacks: list[tuple[Callback, HostedPlugin]]) -> CallbackTable:
        callbacks.sort(key=lambda pair: pair[0].point)
        self._owners = [(hosted, callback.point) for callback, hosted in callbacks]
        owners = self._owners
        table = CallbackTable(
            [callback for callback, _ in callbacks], partial(_compiled_fault, owners)
        )
        rows: dict[str, dict[Point, int]] = {hosted.name: {} for hosted in self.plugins}
        for index, (hosted, point) in enumerate(owners):
            rows[hosted.name][point] = index
        for hosted in self.plugins:
            hosted.stand(table, rows[hosted.name])
        return table

    def _keeps(self, hosted: HostedPlugin, error: ConfigError) -> None:
        text = f'plugin {hosted.name!r} keeps its configuration: {error}'
        line = self._refusals.line(text, error)
        if line is not None:
            _log.error('%s', line)

    def _costs_ns(self) -> dict[str, dict[str, float]]:
        return {hosted.name: hosted.costs_ns() for hosted in self.plugins}

    def _paint_with(self, painters: Sequence[Duty]) -> None:
        """These add to images from now on."""
        self._population.painters = tuple(painters)
        if self._surroundings.rendering is not None:
            self._surroundings.rendering.paint_with(painters)


def _compiled_fault(
    owners: Sequence[tuple[HostedPlugin, Point]], index: int, error: BaseException
) -> None:
    hosted, point = owners[index]
    hosted.fail(point.method, error)


def _stays(old: HostedPlugin, new: HostedPlugin) -> bool:
    """Whether a loaded plugin is what the configuration asks for, and can go on."""
    before, after = old.plugin, new.plugin
    return (
        old.ready
        and before is not None
        and after is not None
        and type(before) is type(after)
        and type(before).adapt is not MujocoPlugin.adapt
        and before.config == after.config
    )
