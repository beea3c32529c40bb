"""Turns a plugin's methods into callbacks for the physics loop and the render loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco

from ...engine import Callback, CompiledPaint, Point, State, compile_callback, python_callback
from ..contract import AnyPlugin, CompiledCallback
from .callback_methods import callback_functions, render_function
from .render_callback import RenderCallback

OnFault = Callable[[str, BaseException], None]
"""A function that receives the name of a method and the exception that the method raised."""


class CallbackBinding:
    """Binds the methods of one plugin as callbacks, for each model that the plugin is used with.

    Compiled callbacks do not depend on the model. They are compiled once per state record and
    reused as long as the plugin keeps this record, so a plugin that stays through a reload also
    keeps its code.
    """

    def __init__(self, on_fault: OnFault) -> None:
        """`on_fault` is called with each exception that a Python callback raises."""
        self._on_fault = on_fault
        self._made_for: tuple[State | None, bool] = None, False
        """The state, and the `boundscheck` setting, that the compiled callbacks were compiled
        for."""
        self._compiled: dict[Point, Callback] = {}

    def bind(
        self,
        plugin: AnyPlugin,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        *,
        boundscheck: bool,
    ) -> tuple[list[Callback], RenderCallback | None]:
        """Returns the physics callbacks, and the render callback or None.

        Only callbacks that the plugin's class overrides are bound. Raises PluginError if a
        compiled callback does not compile.
        """
        state, checked = self._made_for
        if state is not plugin.state or checked != boundscheck:
            self._made_for = plugin.state, boundscheck
            self._compiled = {}
        callbacks = [
            self._compile(point, function)
            if isinstance(function, CompiledCallback)
            else _python(point, function, model, data, self._on_fault)
            for point, function in callback_functions(plugin).items()
        ]
        return callbacks, self._bind_render(plugin)

    def forget(self) -> None:
        """Drops the compiled callbacks."""
        self._made_for, self._compiled = (None, False), {}

    def _bind_render(self, plugin: AnyPlugin) -> RenderCallback | None:
        function = render_function(plugin)
        if function is None:
            return None
        if isinstance(function, CompiledCallback):
            function = CompiledPaint(self._compile(Point.RENDER, function))
        return RenderCallback(function)

    def _compile(self, point: Point, callback: CompiledCallback) -> Callback:
        made = self._compiled.get(point)
        if made is None:
            state, boundscheck = self._made_for
            made = compile_callback(point, callback.function, state, boundscheck=boundscheck)
            self._compiled[point] = made
        return made


def _python(
    point: Point,
    function: Callable[..., Any],
    model: mujoco.MjModel,
    data: mujoco.MjData,
    on_fault: OnFault,
) -> Callback:
    def call() -> None:
        try:
            function(model, data)
        except BaseException as error:  # no exception in a plugin may stop the simulation
            on_fault(point.method, error)

    return python_callback(point, call)
