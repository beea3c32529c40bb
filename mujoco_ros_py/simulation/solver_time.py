"""Ends MuJoCo's solvers from another thread.

Code in libmujoco cannot be interrupted. Its solvers, however, read the tolerances of the model
after each iteration, so raising the tolerances ends the running solver. The result of this step is
useless.
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
"""The options that end all solvers. The iteration counts are only read when a solver begins."""


class SolverTime:
    """The context of the physics thread's calls of libmujoco; other threads can end solvers."""

    def __init__(self) -> None:
        self.entries = 0
        """The number of times that the thread has entered the context."""
        self.inside = False
        self.ended = False
        """Whether solvers were ended the last time that the thread was in the context."""
        self.rule = ''
        """The message for a step whose solvers were ended."""
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
        """Ends the running solvers.

        Does nothing and returns False unless the thread is still in the context that it entered
        as number `entry` (see `entries`).
        """
        with self._lock:
            if not self.inside or self.entries != entry or self._before is not None:
                return False
            self._before = model, {name: getattr(model.opt, name) for name in _AT_ONCE}
            for name, value in _AT_ONCE.items():
                setattr(model.opt, name, value)
            return True
