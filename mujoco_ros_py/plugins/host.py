"""Runs plugins through their life and keeps one plugin's fault from the others."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import mujoco
import numpy as np

from ..config import PluginConfig
from ..config.wording import summary
from ..engine import Callback, CallbackTable, Point
from ..errors import ConfigError, MujocoRosError, PluginError
from ..log_throttle import Throttle
from ..simulation import Owner
from .binding import bind_callbacks, bind_render_callback
from .callbacks import check_callbacks, misspelt
from .configuration import configuration
from .contract import MujocoPlugin
from .environment import Environment
from .hosted import ALIVE, HostedPlugin, PluginState
from .painting import RENDER
from .types import KnownTypes, load_class

_log = logging.getLogger(__name__)


class PluginHost:
    """The plugins of one load of the server, in the order of their configuration.

    `instantiate` on any thread; the rest is called by the simulation, on the physics thread.
    """

    def __init__(
        self,
        configs: Sequence[PluginConfig],
        node: Any,
        environment: Environment,
        *,
        boundscheck: bool = False,
        strict: bool = False,
    ) -> None:
        self.plugins = [self._registered(config) for config in configs]
        self.loaded = 0
        """How many of the configured plugins were ready when `load` was done."""
        self.unregistered: Sequence[str] = ()
        """Why entries of the configuration are not among the plugins."""
        self._node = node
        self._environment = environment
        self._boundscheck = boundscheck
        self._strict = strict
        self._draws = False
        self._table = CallbackTable()
        self._owners: list[tuple[HostedPlugin, Point]] = []
        self._failing = threading.Lock()
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
        refused = self._in_state(PluginState.REFUSED, PluginState.FAILED)
        return [*self.unregistered, *(f'{each.name}: {each.reason}' for each in refused)]

    def check(self) -> None:
        """Raises PluginError where all plugins have to be ready and one is not."""
        if self._strict and self.refusals:
            reasons = '; '.join(self.refusals)
            raise PluginError(f'strict is true, and not every plugin is ready: {reasons}')

    def instantiate(self) -> None:
        """Finds the classes and constructs the plugins."""
        known = KnownTypes()
        for hosted in self.plugins:
            try:
                hosted.plugin = self._construct(hosted, known)
                if hosted.state is PluginState.REGISTERED:
                    hosted.state = PluginState.INSTANTIATED
            except BaseException as error:
                self._refuse(hosted, 'cannot be made', error)

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        """Loads what was instantiated; the callbacks of those that did not refuse.

        With `strict` raises PluginError, all unloaded again, if one did.
        """
        self._environment.begin(model)
        callbacks: list[tuple[Callback, HostedPlugin]] = []
        for hosted in self.plugins:
            if hosted.plugin is not None and hosted.state is PluginState.INSTANTIATED:
                callbacks += self._load(hosted, hosted.plugin, model, data)
            elif hosted.state is PluginState.FAILED:  # something that its constructor made
                hosted.state = PluginState.REFUSED
        callbacks.sort(key=lambda pair: pair[0].point)
        self._owners = [(hosted, callback.point) for callback, hosted in callbacks]
        for index, (hosted, point) in enumerate(self._owners):
            hosted.rows[point] = index
        self._table = CallbackTable([callback for callback, _ in callbacks], self._compiled_fault)
        self._disable(*self._in_state(PluginState.FAILED))  # on another thread, meanwhile
        ready = self._in_state(PluginState.LOADED)
        self.loaded = sum(not hosted.config.implicit for hosted in ready)
        try:
            self.check()
        except PluginError:
            self.unload()
            raise
        return self._table

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """The simulation is that of these plugins now: they draw, and tell what is told once."""
        ready = self._in_state(PluginState.LOADED)
        self._draws = True
        self._environment.paint_with(
            [
                hosted.owner.duty(RENDER, hosted.render)
                for hosted in ready
                if hosted.render is not None
            ]
        )
        for hosted in ready:
            try:
                with hosted.owner.at('after_load'):
                    hosted.plugin.after_load(model, data)  # type: ignore[union-attr]
            except BaseException as error:
                self._fail(hosted, 'after_load', error)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Tells every loaded plugin."""
        for hosted in self._in_state(PluginState.LOADED):
            start = time.perf_counter()
            try:
                with hosted.owner.at('reset'):
                    hosted.plugin.reset(model, data)  # type: ignore[union-attr]
            except BaseException as error:
                self._fail(hosted, 'reset', error)
            hosted.reset_time_s = time.perf_counter() - start

    def configure(self, hosted: HostedPlugin, config: Any) -> None:
        """Hands a ready plugin its configuration with other live values."""
        plugin = hosted.plugin
        if plugin is None or not hosted.ready:
            return
        try:
            with hosted.owner.at('configure'):
                plugin.configure(config)
            plugin.config = config
        except ConfigError as error:
            text = f'plugin {hosted.name!r} keeps its configuration: {error}'
            line = self._refusals.line(text, error)
            if line is not None:
                _log.error('%s', line)
        except BaseException as error:
            self._fail(hosted, 'configure', error)

    def unload(self) -> None:
        """Unloads what was loaded, in reverse order."""
        if self._draws:  # else those of before still do
            self._environment.paint_with(())
        for hosted in reversed(self._in_state(PluginState.LOADED, PluginState.FAILED)):
            assert hosted.plugin is not None
            self._disable(hosted)
            self._unload(hosted, hosted.plugin)
            self._environment.remove(hosted.plugin)
        for hosted in self.plugins:
            hosted.rows, hosted.render = {}, None
        self._environment.close()
        self._table = CallbackTable()  # the old one leads back here, and to model and data

    def describe(self, callback: int) -> str:
        """Names the owner of a row of the table."""
        try:
            hosted, point = self._owners[callback]
        except IndexError:  # asked from another thread while the plugins change
            return f'callback {callback}'
        return f'{point.method} of plugin {hosted.name!r}'

    def costs_ns(self, hosted: HostedPlugin) -> dict[str, float]:
        """Mean cost of each callback that has been timed, by the name of its method."""
        table, rows, render = self._table, dict(hosted.rows), hosted.render  # first the table:
        # `unload` changes it last
        costs = {point.method: table.cost_ns(row) for point, row in rows.items()}
        if render is not None:
            costs[RENDER] = render.cost_ns
        return {method: cost for method, cost in costs.items() if cost is not None}

    def _registered(self, config: PluginConfig) -> HostedPlugin:
        hosted = HostedPlugin(config)
        hosted.owner = Owner(f'plugin {config.name!r}', partial(self._fail, hosted))
        return hosted

    def _construct(self, hosted: HostedPlugin, known: KnownTypes) -> MujocoPlugin[Any]:
        config = hosted.config
        plugin_class = load_class(known.resolve(config.type))
        check_callbacks(plugin_class)
        for mistake in misspelt(plugin_class):
            _log.warning('plugin %r (%s): %s', config.name, config.type, mistake)
        values = configuration(plugin_class, config.config)
        environment = self._environment.of(hosted.owner)
        with hosted.owner.at('__init__'):
            plugin: MujocoPlugin[Any] = plugin_class(values, self._node, environment)
        plugin.name = config.name
        return plugin

    def _load(
        self, hosted: HostedPlugin, plugin: MujocoPlugin[Any], model: Any, data: Any
    ) -> list[tuple[Callback, HostedPlugin]]:
        start, loaded = time.perf_counter(), False
        try:
            with hosted.owner.at('load'):
                answer = plugin.load(model, data)
            loaded = not (isinstance(answer, bool | np.bool_) and not answer)
            if not loaded:
                self._refuse(hosted, 'refused to load')
                return []
            with hosted.owner.at('the compilation of callbacks', lasting=True):
                on_fault = partial(self._fail, hosted)
                made = bind_callbacks(plugin, model, data, on_fault, boundscheck=self._boundscheck)
                render = bind_render_callback(plugin, boundscheck=self._boundscheck)
        except BaseException as error:
            self._refuse(hosted, 'refused to load', error)
            if loaded:  # and then a callback did not compile
                self._unload(hosted, plugin)
            return []
        finally:
            hosted.load_time_s = time.perf_counter() - start
        with self._failing:
            if hosted.state is not PluginState.FAILED:
                hosted.state = PluginState.LOADED
        hosted.render = render
        self._environment.add(plugin)
        return [(callback, hosted) for callback in made]

    def _unload(self, hosted: HostedPlugin, plugin: MujocoPlugin[Any]) -> None:
        try:
            with hosted.owner.at('unload'):
                plugin.unload()
        except BaseException as error:
            _log.error('plugin %r raised in unload', hosted.name, exc_info=error)
        if hosted.state is not PluginState.REFUSED:
            hosted.state = PluginState.UNLOADED
        hosted.owner.close()

    def _compiled_fault(self, index: int, error: BaseException) -> None:
        hosted, point = self._owners[index]
        self._fail(hosted, point.method, error)

    def _fail(self, hosted: HostedPlugin, where: str, error: BaseException) -> None:
        """Takes one plugin out, on every thread; logged once. From any thread."""
        with self._failing:
            first = hosted.state in ALIVE
            if first:
                hosted.state = PluginState.FAILED
                hosted.reason = f'{where} raised {summary(error)}'
        self._disable(hosted)
        hosted.owner.close()
        if first:
            _log.error('plugin %r is taken out: %s', hosted.name, hosted.reason, exc_info=error)

    def _disable(self, *plugins: HostedPlugin) -> None:
        """Their callbacks are not called any more."""
        for hosted in plugins:
            for row in tuple(hosted.rows.values()):
                self._table.disable(row)

    def _refuse(self, hosted: HostedPlugin, what: str, error: BaseException | None = None) -> None:
        hosted.owner.close()
        hosted.state = PluginState.REFUSED
        hosted.reason = what if error is None else f'{what}: {summary(error)}'
        # ours say all in their message, but where a plugin's own code raised
        trace = error.__cause__ if isinstance(error, MujocoRosError) else error
        _log.error(
            'plugin %r (%s) %s', hosted.name, hosted.config.type, hosted.reason, exc_info=trace
        )

    def _in_state(self, *states: PluginState) -> list[HostedPlugin]:
        return [hosted for hosted in self.plugins if hosted.state in states]
