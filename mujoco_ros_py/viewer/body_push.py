"""Applies a force to the body that a user drags in a viewer."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ..simulation import Simulation

_HELD_S = 0.5
"""The wall time in seconds after which a force ends, unless it is sent again."""


@dataclass(frozen=True, slots=True)
class _Push:
    """A wrench on a body in the layout of `xfrc_applied`: N and Nm, in the world frame."""

    model: mujoco.MjModel
    body: int
    wrench: np.ndarray[Any, Any]
    until: float
    """The time at which the push expires, in seconds of the monotonic clock."""


class BodyPush:
    """Pushes one body at a time with the newest force, which it applies between two steps.

    Call the methods from one thread. A push ends when it is released, or when no message repeats
    it for half a second.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._wanted: _Push | None = None
        self._asked = False
        """Whether a submitted command will still read `_wanted`, so that no further command is
        needed."""
        self._pending: Future[None] | None = None
        self._applied: tuple[mujoco.MjModel, int] | None = None
        """The body with a force; used by the physics thread only."""

    def push(self, model: mujoco.MjModel, message: Mapping[str, Any]) -> None:
        """Pushes the body in a message. Raises ValueError for an unknown body or a bad wrench."""
        body, wrench = int(message['body']), np.array(message['wrench'], float)
        if not 0 < body < model.nbody or wrench.shape != (6,) or not np.isfinite(wrench).all():
            raise ValueError('unknown body, or not a finite force')
        self._want(_Push(model, body, wrench, time.monotonic() + _HELD_S))

    def release(self) -> None:
        """Ends the force."""
        if self._wanted is not None:
            self._want(None)

    def expire(self) -> None:
        """Ends an expired force; call it regularly."""
        wanted = self._wanted
        if wanted is not None and wanted.until < time.monotonic():
            self._want(None)

    def _want(self, push: _Push | None) -> None:
        self._wanted = push
        if not self._asked or self._pending is None or self._pending.done():
            self._asked = True
            self._pending = self._simulation.submit(self._apply)

    def _apply(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Applies the newest force; called on the physics thread, between two steps."""
        self._asked = False
        wanted, applied = self._wanted, self._applied
        if applied is not None:
            data.xfrc_applied[_in_model(model, *applied)] = 0.0
        self._applied = None
        if wanted is not None and wanted.model is model:
            data.xfrc_applied[wanted.body] = wanted.wrench
            self._applied = model, wanted.body


def _in_model(model: mujoco.MjModel, before: mujoco.MjModel, body: int) -> list[int]:
    """Returns a list with the id of the same-named body in another model; empty without one."""
    if model is before:
        return [body]
    name = before.body(body).name
    found = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name) if name else -1
    return [found] if found > 0 else []
