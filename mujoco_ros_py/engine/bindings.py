"""Functions of the mujoco bindings that end the process over an argument: made to raise."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from numbers import Integral
from typing import Any

import mujoco

_UNGUARDED = 'mj_getState', 'mj_setState', 'mj_extractState'
"""They ask for the size of a state outside of the guard that the bindings have for errors."""


def guard_bindings() -> None:
    """Makes these raise mujoco.FatalError for an invalid signature, in the whole process."""
    for name in _UNGUARDED:
        function = getattr(mujoco, name)
        if not hasattr(function, '__wrapped__'):
            setattr(mujoco, name, _guarded(function))


def _guarded(function: Callable[..., None]) -> Callable[..., None]:
    @wraps(function)
    def checked(m: mujoco.MjModel, *args: Any, **kwargs: Any) -> None:
        for signature in (*args, *kwargs.values()):
            if isinstance(signature, Integral):
                mujoco.mj_stateSize(m, signature)
        function(m, *args, **kwargs)

    return checked
