"""Refuses random numbers in plugin functions, because no run could reproduce them.

In code compiled by numba, each thread has its own NumPy and Python generators. The numbers that a
callback draws would depend on other code on the same thread, and on which thread steps. libmujoco
uses the C library's generator, which is shared by the whole process. Saved states contain none of
these generators.
"""

from __future__ import annotations

import random
from types import MethodType
from typing import Any

import mujoco
import numpy as np
from numba.extending import typeof_impl

from ..foreign.numba.numba_internals import TypingError
from ..foreign.numba.numba_objects import Context
from .compiling_thread import compiles_for_plugin

_GENERATORS = random.Random, np.random.RandomState, np.random.Generator
_PACKAGE = 'numpy.random'

_typeof_numpy_generator = typeof_impl.dispatch(np.random.Generator)


def refuse_random(value: Any) -> None:
    """Raises TypingError for a generator or its functions if this thread compiles for a plugin."""
    # The program's own functions may draw random numbers.
    if compiles_for_plugin() and (name := _random_name(value)):
        raise TypingError(
            f'{name} uses random numbers that no run could repeat; draw them in Python, from'
            ' numpy.random.default_rng(seed), into an array of the state'
        )


def _random_name(value: Any) -> str:
    """Returns the name of a generator or of its function; empty for other objects."""
    if value is mujoco.mju_standardNormal:
        return 'mujoco.mju_standardNormal'
    if isinstance(value, _GENERATORS):
        return f'a generator ({type(value).__name__})'
    owner = getattr(value, '__self__', None)
    if isinstance(owner, random.Random):
        return f'random.{value.__name__}'
    if isinstance(owner, _GENERATORS) or getattr(value, '__module__', None) == _PACKAGE:
        return f'{_PACKAGE}.{value.__name__}'
    return ''


@typeof_impl.register(MethodType)
@typeof_impl.register(random.Random)
@typeof_impl.register(np.random.RandomState)
@typeof_impl.register(type(np.random.seed))
def _typeof_random(value: Any, context: Context) -> None:
    """Refuses the value for a plugin; otherwise returns None, and numba uses its own type."""
    refuse_random(value)


@typeof_impl.register(np.random.Generator)
def _typeof_generator(value: Any, context: Context) -> Any:
    """Refuses a generator for a plugin; otherwise returns numba's own type."""
    refuse_random(value)
    return _typeof_numpy_generator(value, context)
