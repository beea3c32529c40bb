"""Makes callbacks for the physics loop and the render loop from the methods of a plugin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco

from ...engine import Callback, CompiledPaint, Point, State, compile_callback, python_callback
from ..contract import AnyPlugin, CompiledCallback
from .callback_methods import callback_functions, render_function
from .render_callback import RenderCallback

OnFault = Callable[[str, BaseException], None]
"""A function that is called with the name of a method and what that method raised."""


class CallbackBinding:
    """Makes callbacks from the methods of one plugin, for each model that the plugin is used with.

    Compiled callbacks do not depend on the model. They are made once for a state, and used again
    as long as the plugin has it: a plugin that stays goes on with the code that it had.
    """

    def __init__(self, on_fault: OnFault) -> None:
        """`on_fault` is called with what a Python callback raises."""
        self._on_fault = on_fault
        self._made_for: tuple[State | None, bool] = None, False
        """The state, and whether bounds are checked, of the compiled callbacks."""
        self._compiled: dict[Point, Callback] = {}

    def bind(
        self,
        plugin: AnyPlugin,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        *,
        boundscheck: bool,
    ) -> tuple[list[Callback], RenderCallback | None]:
        """Returns the callbacks of the physics loop, and the render callback if there is one.

        They are those that the plugin's class overrides. Raises PluginError if a compiled callback
        does not compile.
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
        """Forgets the compiled callbacks."""
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
        except BaseException as error:  # whatever a plugin raises, the simulation goes on
            on_fault(point.method, error)

    return python_callback(point, call)
