"""A plugin whose render callback has a configured fault."""

from __future__ import annotations

from .faults import Faulty


class OnRender(Faulty):
    """Configured as Faulty, with `stage: render_callback`."""

    def render_callback(self, model, data, scene):
        self._reach('render_callback', data.time)
