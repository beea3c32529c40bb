"""A plugin whose render callback does what it is told to."""

from __future__ import annotations

from .faults import Faulty


class OnRender(Faulty):
    """Config: as Faulty's; `stage: render_callback`."""

    def render_callback(self, model, data, scene):
        self._reach('render_callback', data.time)
