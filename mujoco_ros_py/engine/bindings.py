"""Guards functions of the mujoco bindings that would end the process for a wrong argument."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from numbers import Integral
from typing import Any

import mujoco

_UNGUARDED = 'mj_getState', 'mj_setState', 'mj_extractState'
"""The functions that compute a state size outside of the bindings' guard against fatal errors."""


def guard_bindings() -> None:
    """Makes these functions raise mujoco.FatalError for an invalid signature, process-wide."""
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
