"""Compares code for the cache with code that numba generates and loads itself."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from numba import types

from mujoco_ros_py.engine import inlined
from mujoco_ros_py.engine.compiled.pipeline import compile_function

pytestmark = pytest.mark.slow

VALUES = types.Array(types.float64, 1, 'C')


@inlined
def longest(values: Any, start: int, stop: int) -> Any:
    part, best = values[start:stop], 0.0
    for k in range(len(part)):
        best = max(best, abs(part[k]))
    return part, best


def scaled(values: Any, count: int) -> float:
    """Slices an array in a helper function, as callbacks do."""
    total = 0.0
    for k in range(count):
        part, best = longest(values, k, k + 3)
        if best > 1.0:
            part[:] = part / best
            total += best
    return total


def costly(*, portable: bool) -> Counter[str]:
    """Returns the numbers of atomic instructions, calls and vector operations."""
    library = compile_function(scaled, (VALUES, types.int64), portable=portable).library
    words = re.findall(
        r'atomicrmw|call (?!.*@llvm)|\bf\w+ .*<\d+ x double>', library.get_llvm_str()
    )
    return Counter(word.split()[0] for word in words)


def test_code_for_the_cache_is_optimized_as_numba_optimizes_it():
    emitted, loaded = costly(portable=True), costly(portable=False)
    assert loaded['call']
    assert emitted == loaded
