"""Recognizes objects of installed packages, whose versions are a part of every key."""

from __future__ import annotations

import sys
from functools import reduce
from typing import Any

_PACKAGES = {
    'abc', 'builtins', 'cmath', 'enum', 'functools', 'itertools', 'llvmlite', 'math', 'mujoco',
    'numba', 'numbers', 'numpy', 'operator', 'random', 'types', 'typing',
}  # fmt: skip
"""The packages, and modules of Python itself, that compiled code can refer to."""
_COMPILED = f'{__package__.rpartition(".")[0]}.compiled'
"""The name of this package's compiled code, whose files are a part of each key too."""


def is_installed(module: object) -> bool:
    """Returns whether a module name belongs to Python, NumPy, numba, MuJoCo or the compiler."""
    if not isinstance(module, str):
        return False
    return module.partition('.')[0] in _PACKAGES or f'{module}.'.startswith(f'{_COMPILED}.')


def installed_name(value: Any) -> tuple[str, str] | None:
    """Returns module and name under which an installed package has this very object, or None."""
    owner = type(getattr(value, '__self__', None))
    for module in (getattr(value, '__module__', None), owner.__module__):
        if not is_installed(module) or module not in sys.modules:
            continue
        for name in (getattr(value, '__qualname__', ''), getattr(value, '__name__', '')):
            # The very object: a program may have put one of its own under a name of the package.
            if name and _find(sys.modules[module], name) is value:
                return module, name
    return None


def _find(module: Any, name: str) -> Any:
    try:
        return reduce(getattr, name.split('.'), module)
    except AttributeError:
        return None
