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
    """Calls the method and measures it; on the render thread.

    Raises what the method raises, and PluginError where it leaves the scene undone; the scene is
    then as it was before.
    """

    def __init__(self, method: Callable[[Any, Any, Any], object]) -> None:
        self._method = method
        self.cost_ns: float | None = None
        """Mean of its calls; None before the first."""

    def __call__(self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
        """Adds to the scene."""
        start, before = time.perf_counter_ns(), scene.ngeom
        try:
            self._method(model, data, scene)
            if not before <= scene.ngeom <= scene.maxgeom:
                raise PluginError(
                    f'scene.ngeom was {before}, is {scene.ngeom} afterwards; it may '
                    f'grow to maxgeom = {scene.maxgeom}'
                )
        except BaseException:
            scene.ngeom = before  # what it added may be half done
            raise
        cost = time.perf_counter_ns() - start
        last = cost if self.cost_ns is None else self.cost_ns
        self.cost_ns = last + _SMOOTHING * (cost - last)
