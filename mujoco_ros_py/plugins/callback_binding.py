"""Makes callbacks for the physics loop and the render loop from the methods of a plugin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco

from ..engine import Callback, CompiledPaint, Point, compile_callback, python_callback
from .callback_methods import callback_functions, render_function
from .contract import CompiledCallback, MujocoPlugin
from .render_callback import RenderCallback

OnFault = Callable[[str, BaseException], None]
"""A function that is called with the name of a method and what that method raised."""


def bind_callbacks(
    plugin: MujocoPlugin[Any],
    model: mujoco.MjModel,
    data: mujoco.MjData,
    on_fault: OnFault,
    *,
    boundscheck: bool,
) -> list[Callback]:
    """Makes the callbacks of the physics loop that the plugin's class overrides.

    A method is called with this model and data, and `on_fault` with what it raises. Raises
    PluginError if a compiled callback does not compile.
    """
    return [
        compile_callback(point, function.function, plugin.state, boundscheck=boundscheck)
        if isinstance(function, CompiledCallback)
        else _python(point, function, model, data, on_fault)
        for point, function in callback_functions(plugin).items()
    ]


def bind_render_callback(plugin: MujocoPlugin[Any], *, boundscheck: bool) -> RenderCallback | None:
    """Makes the render callback, or returns None if the plugin's class does not override it.

    Raises PluginError if it is marked as compiled and does not compile.
    """
    function = render_function(plugin)
    if function is None:
        return None
    if isinstance(function, CompiledCallback):
        compiled = compile_callback(
            Point.RENDER, function.function, plugin.state, boundscheck=boundscheck
        )
        function = CompiledPaint(compiled)
    return RenderCallback(function)


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
