"""A plugin's render callback as the render loop calls it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import mujoco

from ..engine import Point
from ..errors import PluginError

RENDER = Point.RENDER.method
_SMOOTHING = 0.05
"""Weight of the newest call in the mean cost, as for the callbacks of the physics."""


class RenderCallback:
    """Calls the method until it raises, which `on_fault` is told; on the render thread."""

    def __init__(
        self,
        method: Callable[[Any, Any, Any], object],
        on_fault: Callable[[BaseException], None],
    ) -> None:
        self._method = method
        self._on_fault = on_fault
        self.enabled = True
        self.cost_ns: float | None = None
        """Mean of its calls; None before the first."""

    def __call__(self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
        """Adds to the scene, if the plugin is still in."""
        if not self.enabled:
            return
        start, before = time.perf_counter_ns(), scene.ngeom
        try:
            self._method(model, data, scene)
            if not before <= scene.ngeom <= scene.maxgeom:
                raise PluginError(
                    f'scene.ngeom was {before}, is {scene.ngeom} afterwards; it may '
                    f'grow to maxgeom = {scene.maxgeom}'
                )
        except BaseException as error:  # whatever a plugin raises, images are made
            scene.ngeom = before  # what it added may be half done
            self._on_fault(error)
        cost = time.perf_counter_ns() - start
        last = cost if self.cost_ns is None else self.cost_ns
        self.cost_ns = last + _SMOOTHING * (cost - last)
