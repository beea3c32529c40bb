"""Whether a session can make images, which is found out when a model has cameras."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ..errors import RenderingError
from ..rendering import RenderLoop
from ..simulation import Simulation

_log = logging.getLogger(__name__)


class Graphics:
    """The OpenGL context of a session, which is opened once."""

    def __init__(
        self,
        simulation: Simulation,
        rendering: RenderLoop,
        carry_out: Callable[[Future[Any]], Any],
    ) -> None:
        """`carry_out` waits for a command of the simulation, and returns its result."""
        self._simulation, self._rendering, self._carry_out = simulation, rendering, carry_out
        self._there: bool | None = None
        """Whether images can be made; None until somebody asks."""

    def there(self, wanted: bool) -> bool:
        """Returns whether images are wanted and can be made; if not, that is logged once.

        Raises SimulationError while the physics thread is busy; the next call tries again.
        """
        if self._there is None:
            try:
                if wanted:
                    _log.info('rendering with %s', self._open())
            except RenderingError as error:
                wanted = False
                _log.warning('running without cameras: %s', error)
            self._there = wanted
        return self._there

    def _open(self) -> str:
        """Opens OpenGL while nothing steps, as that takes the GIL and a core; returns its name."""
        return str(self._carry_out(self._simulation.hold(self._rendering.graphics)).name)
