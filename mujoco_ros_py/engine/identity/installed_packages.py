"""Recognizes objects of installed packages, whose versions are part of every cache key."""

from __future__ import annotations

import sys
from functools import reduce
from typing import Any

_PACKAGES = {
    'abc', 'builtins', 'cmath', 'enum', 'functools', 'itertools', 'llvmlite', 'math', 'mujoco',
    'numba', 'numbers', 'numpy', 'operator', 'random', 'types', 'typing',
}  # fmt: skip
"""The packages and standard modules that compiled code can refer to."""
_COMPILED = f'{__package__.rpartition(".")[0]}.compiled'
"""The package with this project's compiled code, whose files are part of every key too."""


def is_installed(module: object) -> bool:
    """Returns whether a module belongs to `_PACKAGES` or to this project's compiled code."""
    if not isinstance(module, str):
        return False
    return module.partition('.')[0] in _PACKAGES or f'{module}.'.startswith(f'{_COMPILED}.')


def installed_name(value: Any) -> tuple[str, str] | None:
    """Returns module and name of an installed package's object; None for other objects."""
    owner = type(getattr(value, '__self__', None))
    for module in (getattr(value, '__module__', None), owner.__module__):
        if not is_installed(module) or module not in sys.modules:
            continue
        for name in (getattr(value, '__qualname__', ''), getattr(value, '__name__', '')):
            # Compares identity: a program may have assigned its own object to a name of the
            # package.
            if name and _find(sys.modules[module], name) is value:
                return module, name
    return None


def _find(module: Any, name: str) -> Any:
    try:
        return reduce(getattr, name.split('.'), module)
    except AttributeError:
        return None
