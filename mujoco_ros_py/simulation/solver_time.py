"""Ends MuJoCo's solvers from another thread, as no thread can end one that is in libmujoco.

The solvers look at the tolerances of the model after each iteration, so raising these ends the
solver that runs. Its result is of no use.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock

import mujoco

_LARGE = 1e300
_AT_ONCE: Mapping[str, float] = {
    **dict.fromkeys(('tolerance', 'ls_tolerance', 'noslip_tolerance'), _LARGE),
    **dict.fromkeys(('iterations', 'ls_iterations', 'noslip_iterations'), 0),
}
"""The options with which all solvers end; the counts are read when a solver begins."""


class SolverTime:
    """The time that the physics thread spends in libmujoco, as a context that it enters.

    Another thread calls `end`.
    """

    def __init__(self) -> None:
        self.entries = 0
        """How often the thread has entered libmujoco."""
        self.inside = False
        self.ended = False
        """Whether solvers were made to end while the thread was inside the last time."""
        self.rule = ''
        """The limit that solvers are ended for, as a sentence."""
        self._lock = Lock()
        self._before: tuple[mujoco.MjModel, dict[str, float]] | None = None

    def __enter__(self) -> None:
        self.entries += 1
        self.ended = False
        self.inside = True

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self.inside = False
            if self._before is None:
                return
            model, before = self._before
            self._before, self.ended = None, True
        for name, value in before.items():
            setattr(model.opt, name, value)

    def end(self, model: mujoco.MjModel, entry: int) -> bool:
        """Ends the solvers that run; False if the thread has left libmujoco since that entry."""
        with self._lock:
            if not self.inside or self.entries != entry or self._before is not None:
                return False
            self._before = model, {name: getattr(model.opt, name) for name in _AT_ONCE}
            for name, value in _AT_ONCE.items():
                setattr(model.opt, name, value)
            return True
