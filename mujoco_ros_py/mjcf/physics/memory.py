"""Holds a model and its data, and computes outdated stages of the data when they are read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import mujoco
import numpy as np

from ...engine_faults import avoid_faults
from ...errors import PhysicsError
from .rows import Layout
from .stages import CURRENT, FORCES, POSITIONS, VELOCITIES

Names = Mapping[Any, str]
_log = logging.getLogger(__name__)
_COMPUTED = {
    FORCES: mujoco.mjtStage.mjSTAGE_VEL,
    VELOCITIES: mujoco.mjtStage.mjSTAGE_POS,
    POSITIONS: mujoco.mjtStage.mjSTAGE_NONE,
}
"""Maps the first outdated stage to the last of MuJoCo's stages that is still valid."""


class Memory:
    """The model and data that a Physics shares with its bindings and their arrays."""

    __slots__ = (
        '_quiet', '_warnings', 'data', 'lags', 'layout', 'model', 'names', 'outdated', 'raises',
    )  # fmt: skip

    outdated: int
    """The first outdated stage, as defined in `stages`."""
    lags: bool
    """Whether the forces are one step behind the state."""
    raises: bool
    """Whether MuJoCo's warnings raise PhysicsError."""

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, names: Names | None = None
    ) -> None:
        self.raises = True
        self.take(model, data, names)

    def take(self, model: mujoco.MjModel, data: mujoco.MjData, names: Names | None) -> None:
        """Replaces the model and the data; `names` maps elements to their names in the model.

        Changes options that trigger known MuJoCo bugs, with a warning.
        """
        for sentence in avoid_faults(model):
            _log.warning('%s', sentence)
        self.model = model
        self.data = data
        self.names = names
        self.layout = Layout(model)
        self.outdated = POSITIONS
        self.lags = False
        self._warnings: Any = data.warning.number
        self._quiet = bytes(self._warnings.nbytes)

    def refresh(self) -> None:
        """Computes the outdated stages. Raises PhysicsError if MuJoCo warns."""
        self.run(mujoco.mj_forwardSkip, _COMPUTED[self.outdated], 0)
        self.outdated = CURRENT
        self.lags = False

    def demand(self, flag: str, compute: Callable[..., object], held_until: int) -> None:
        """Brings arrays up to date that MuJoCo computes only on demand.

        `compute` is the MuJoCo function that computes the arrays, and `flag` the field of MjData
        that is set once they are computed. `held_until` is the earliest stage that can be outdated
        while the arrays stay valid.
        """
        if self.lags and held_until < FORCES:
            self.outdated = max(self.outdated, FORCES)
        if self.outdated > held_until:
            self.refresh()
        if not getattr(self.data, flag):
            self.run(compute)

    def run(self, function: Callable[..., object], *arguments: Any) -> None:
        """Calls a MuJoCo function. Raises PhysicsError (or logs it) if MuJoCo warns."""
        warnings = self._warnings
        if warnings.tobytes() == self._quiet:
            function(self.model, self.data, *arguments)
            if warnings.tobytes() != self._quiet:
                self._tell(warnings)
            return
        before = warnings.copy()  # earlier warnings, whose errors were suppressed
        warnings[:] = 0
        function(self.model, self.data, *arguments)
        new = warnings.copy()
        warnings += before
        self._tell(new)

    def _tell(self, counts: Any) -> None:
        names = [name for name in mujoco.mjtWarning.__members__ if name.startswith('mjWARN')]
        told = ', '.join(names[int(number)] for number in np.flatnonzero(counts))
        if not told:
            return
        message = f'invalid state at {self.data.time:g} s: MuJoCo warns of {told}'
        if self.raises:
            raise PhysicsError(message)
        _log.warning(message)
