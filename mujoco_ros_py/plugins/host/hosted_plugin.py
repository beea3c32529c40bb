"""One plugin in the host: its state and the transitions between states."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from ...config import PluginConfig
from ...config.wording import summary
from ...engine import Callback, CallbackTable, Point
from ...errors import CompilingStoppedError, ConfigError, MujocoRosError
from ...log_throttle import Throttle
from ...simulation import Owner
from ..contract import AnyPlugin
from ..missing_messages import as_refusal
from ..mixins import Adaptable, Reconfigurable, Stoppable
from .callback_binding import CallbackBinding
from .callback_methods import check_callbacks, misspelt
from .environment import Environment, show, tell_absent
from .plugin_configuration import configuration
from .plugin_state import ALIVE, PluginState
from .render_callback import RENDER, RenderCallback

_log = logging.getLogger(__name__)


Submit = Callable[[Callable[[mujoco.MjModel, mujoco.MjData], None]], object]


class HostedPlugin:
    """Manages the lifecycle of one plugin. An exception on any thread disables the plugin.

    Any thread may call `construct`, `check_live`, `fail` and `disable`, and read the state, the
    reason and the costs. Everything else is for the physics thread.
    """

    def __init__(
        self, config: PluginConfig, submit: Submit, throttle: Throttle | None = None
    ) -> None:
        """`submit(function)` schedules `function(model, data)` between two steps.

        A `throttle` limits how often faults of the same origin are logged.
        """
        self.config = config
        self._submit = submit
        self._throttle = throttle
        self.state = PluginState.REGISTERED
        self.reason = ''
        """Why the plugin was refused or has failed; empty while it works."""
        self.plugin: AnyPlugin | None = None
        self.given: Any = None
        """The configuration that the plugin was constructed with, before any changes of live
        values."""
        self.load_time_s = 0.0
        self.reset_time_s: float | None = None
        """The duration of the last reset in seconds; None before the first reset."""
        self.render: RenderCallback | None = None
        self.owner = Owner(f'plugin {config.name!r}', self.fail)
        """The owner of the plugin's functions on all threads."""
        self._binding = CallbackBinding(self.fail)
        self._rows: tuple[CallbackTable, dict[Point, int]] = CallbackTable(), {}
        self._failing = threading.Lock()
        self._listed: dict[str, AnyPlugin] | None = None
        """The mapping in which other plugins look this one up; None before the plugin is
        loaded."""

    @property
    def name(self) -> str:
        """The plugin's name in the session."""
        return self.config.name

    @property
    def ready(self) -> bool:
        """Whether the plugin receives callbacks and resets."""
        return self.state is PluginState.LOADED

    @property
    def refused(self) -> bool:
        """Whether the plugin is out of use because it could not be loaded or has failed."""
        return self.state in (PluginState.REFUSED, PluginState.FAILED)

    @property
    def has_to_unload(self) -> bool:
        """Whether the plugin was loaded and `unload` has not been called yet."""
        return self.state in (PluginState.LOADED, PluginState.FAILED)

    def construct(
        self, find: Callable[[str], type[Any]], environment: Environment, node: Any
    ) -> None:
        """Finds the plugin's class, and constructs the plugin with its configuration."""
        try:
            plugin_class = find(self.config.type)
            check_callbacks(plugin_class)
            for mistake in misspelt(plugin_class):
                _log.warning('plugin %r (%s): %s', self.name, self.config.type, mistake)
            values = configuration(plugin_class, self.config.config)
            with self.owner.at('__init__'):
                plugin: AnyPlugin = plugin_class(values, node, environment)
            plugin.name = self.name
            self.plugin, self.given = plugin, values
            with self._failing:
                if self.state is PluginState.REGISTERED:
                    self.state = PluginState.INSTANTIATED
        except BaseException as error:
            self._refuse('cannot be constructed', error)

    def load(
        self, model: mujoco.MjModel, data: mujoco.MjData, *, boundscheck: bool
    ) -> list[Callback]:
        """Loads the plugin; returns its callbacks, or an empty list if it refuses."""
        if self.state is PluginState.FAILED:  # a function that `__init__` submitted raised
            self.state = PluginState.REFUSED
        plugin, made = self.plugin, self.state is PluginState.INSTANTIATED
        if plugin is None or not made:
            return []
        start, loaded = time.perf_counter(), False
        try:
            with self.owner.at('load'):
                answer = plugin.load(model, data)
            loaded = not (isinstance(answer, bool | np.bool_) and not answer)
            if not loaded:
                self._refuse('refused to load')
                return []
            callbacks = self._bind(plugin, model, data, boundscheck)
        except BaseException as error:
            self._refuse('refused to load', error)
            if loaded:  # `load` succeeded, but a callback did not compile
                self.unload()
            return []
        finally:
            self.load_time_s = time.perf_counter() - start
        with self._failing:
            if self.state is not PluginState.FAILED:
                self.state = PluginState.LOADED
        tell_absent(plugin.environment, self.name)
        return callbacks

    def adapt(
        self, model: mujoco.MjModel, data: mujoco.MjData, *, boundscheck: bool
    ) -> list[Callback]:
        """Switches the loaded plugin to another model; returns its callbacks for the new model."""
        made: list[Callback] = []

        def stay(plugin: AnyPlugin) -> None:
            show(plugin.environment, model)
            if isinstance(plugin, Adaptable):
                plugin.adapt(model, data)
            made.extend(self._bind(plugin, model, data, boundscheck))
            tell_absent(plugin.environment, self.name)

        self.tell('adapt', stay)
        return made

    def list_in(self, plugins: dict[str, AnyPlugin]) -> None:
        """Sets the mapping in which other plugins find this plugin until it is closed."""
        if self._listed is None:
            self.owner.on_close(self._leave)
        self._listed = plugins

    def _leave(self) -> None:
        if self._listed is not None:
            self._listed.pop(self.name, None)

    def tell(self, where: str, call: Callable[[AnyPlugin], Any]) -> Any:
        """Returns `call(plugin)`, or None if the plugin is not ready or the call disables it."""
        if self.plugin is None or not self.ready:
            return None
        try:
            with self.owner.at(where):
                return call(self.plugin)
        except BaseException as error:
            self.fail(where, error)
            return None

    def check_live(self, config: Any) -> None:
        """Raises ConfigError if the plugin refuses these live values. Any thread may call this."""
        if not isinstance(self.plugin, Reconfigurable) or not self.ready:
            return
        try:
            with self.owner.at('check_live'):
                self.plugin.check_live(config)
        except ConfigError:
            raise
        except BaseException as error:
            self.fail('check_live', error)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Calls the plugin's `reset` and measures its duration."""
        start = time.perf_counter()
        self.tell('reset', lambda plugin: plugin.reset(model, data))
        self.reset_time_s = time.perf_counter() - start

    def unload(self) -> None:
        """Unloads the plugin, and closes everything that it owns."""
        self.disable()
        try:
            with self.owner.at('unload'):
                self.plugin.unload()  # type: ignore[union-attr]
        except BaseException as error:
            _log.error('plugin %r raised in unload', self.name, exc_info=error)
        if self.state is not PluginState.REFUSED:
            self.state = PluginState.UNLOADED
        self.owner.end()

    def discard(self) -> None:
        """Closes everything that the constructor created, if the plugin is never loaded."""
        if self.state in (PluginState.REGISTERED, PluginState.INSTANTIATED):
            self.state = PluginState.UNLOADED
            self.owner.end()

    def use_rows(self, table: CallbackTable, rows: dict[Point, int]) -> None:
        """Stores the table that is used next, and the plugin's rows in the table by point."""
        self._rows = table, rows
        if self.state is PluginState.FAILED:  # it failed on another thread in the meantime
            self.disable()

    def forget(self) -> None:
        """Drops the callbacks, which refer to the model and the data."""
        self._rows, self.render = (CallbackTable(), {}), None
        self._binding.forget()

    def disable(self, *, writing: bool = True) -> None:
        """Disables the plugin's callbacks; without `writing`, all except `write_callback`."""
        table, rows = self._rows
        for point, row in rows.items():
            if writing or point is not Point.WRITE:
                table.disable(row)

    def costs_ns(self) -> dict[str, float]:
        """Returns the mean cost of each timed callback in nanoseconds, by method."""
        (table, rows), render = self._rows, self.render
        costs = {point.method: table.cost_ns(row) for point, row in rows.items()}
        if render is not None:
            costs[RENDER] = render.cost_ns
        return {method: cost for method, cost in costs.items() if cost is not None}

    def fail(self, where: str, error: BaseException) -> None:
        """Disables the plugin on all threads, and logs this once."""
        with self._failing:
            first, acted = self.state in ALIVE, self.ready
            if first:
                self.state = PluginState.FAILED
                self.reason = f'{where} raised {summary(error)}'
        # `write_callback` has to restore what `read_callback` has changed in the current step.
        self.disable(writing=not acted)
        self.owner.close()
        if first:
            self._log_fault(f'plugin {self.name!r} is disabled: {self.reason}', error, error)
        if acted:
            self._submit(self._withdraw)

    def _withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ends the callbacks of a failed plugin, and calls `withdraw` unless it is unloaded."""
        if self.state is PluginState.FAILED:
            self.disable()
        if not isinstance(self.plugin, Stoppable) or self.state is not PluginState.FAILED:
            return
        try:
            with self.owner.at('withdraw'):
                self.plugin.withdraw(model, data)
        except BaseException as error:
            _log.error('plugin %r raised in withdraw', self.name, exc_info=error)

    def _bind(
        self, plugin: AnyPlugin, model: mujoco.MjModel, data: mujoco.MjData, boundscheck: bool
    ) -> list[Callback]:
        with self.owner.at('the compilation of callbacks', lasting=True):
            made, self.render = self._binding.bind(plugin, model, data, boundscheck=boundscheck)
        return made

    def _refuse(self, what: str, error: BaseException | None = None) -> None:
        self.owner.end()
        error = error and as_refusal(error)
        self.state = PluginState.REFUSED
        self.reason = what if error is None else f'{what}: {summary(error)}'
        if isinstance(error, CompilingStoppedError):
            return  # the process is ending, which is not a fault of the plugin
        # our own errors need a traceback only if the plugin's code caused them
        trace = error.__cause__ if isinstance(error, MujocoRosError) else error
        told = f'plugin {self.name!r} ({self.config.type}) {self.reason}'
        self._log_fault(told, error or self.reason, trace)

    def _log_fault(
        self, text: str, fault: BaseException | str, trace: BaseException | None
    ) -> None:
        throttle = self._throttle
        line = text if throttle is None else throttle.line(text, fault, self.name)
        if line is not None:
            _log.error('%s', line, exc_info=trace)
