"""Reports what a new version of numba no longer has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import pytest

NUMBA = f'numba {numba.__version__}'


def lost(what: str) -> str:
    return f'{NUMBA} has lost what mujoco_ros_py.engine.foreign.numba needs: {what}'


def told(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls the function; fails the test if numba lacks an attribute."""
    try:
        return function(*arguments)
    except AttributeError as error:
        return pytest.fail(lost(f'{error}, in {function.__name__}'))
