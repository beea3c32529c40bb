"""A plugin's render callback, as the render loop and other plugins call it."""

from __future__ import annotations

import time
from collections.abc import Callable

import mujoco

from ...engine import Point
from ...errors import PluginError
from ...simulation import OwnedCallback, Owner

Painter = Callable[[mujoco.MjModel, mujoco.MjData, mujoco.MjvScene], None]
"""A function that adds geoms to a scene."""
RENDER = Point.RENDER.method
_SMOOTHING = 0.05
"""The weight of the latest call in the mean cost, as for physics callbacks."""
_WAIT_S = 0.1
"""How long a rendering thread waits while another thread is in the same callback."""


class RenderCallback:
    """Calls the method on the render thread, and measures its cost.

    Raises the method's exceptions, and PluginError if the method leaves an invalid number of
    geoms; the scene is then restored.
    """

    def __init__(
        self, method: Callable[[mujoco.MjModel, mujoco.MjData, mujoco.MjvScene], object]
    ) -> None:
        self._method = method
        self.cost_ns: float | None = None
        """The mean cost of a call in nanoseconds; None before the first call."""

    def __call__(self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
        """Adds geoms to the scene."""
        start, before = time.perf_counter_ns(), scene.ngeom
        try:
            self._method(model, data, scene)
            if not before <= scene.ngeom <= scene.maxgeom:
                raise PluginError(
                    f'scene.ngeom must be between {before} (its value before the call) and '
                    f'maxgeom = {scene.maxgeom}, got {scene.ngeom}'
                )
        except BaseException:
            scene.ngeom = before  # its last geom may be incomplete
            raise
        cost = time.perf_counter_ns() - start
        last = cost if self.cost_ns is None else self.cost_ns
        self.cost_ns = last + _SMOOTHING * (cost - last)


def painting(owner: Owner, callback: RenderCallback) -> OwnedCallback:
    """Wraps the callback for the threads that render: cameras, the viewer and plugins."""
    return owner.callback(RENDER, callback, wait_s=_WAIT_S)


def painter(callback: OwnedCallback) -> Painter:
    """Returns a function that calls the callback without exposing its owner.

    Other plugins receive this function, and must not be able to close the owner.
    """

    def paint(model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
        callback(model, data, scene)

    return paint
