"""numba's own settings, which change the code that it makes."""

from __future__ import annotations

import importlib.util
import os
import sys
from functools import cache
from pathlib import Path

_CONFIG = 'numba.core.config'
_SET_BY_NUMBA = {'USING_SVML'}


def settings() -> tuple[object, ...]:
    """Those of environment and file, and those that were changed since numba was imported."""
    environment = sorted(item for item in os.environ.items() if item[0].startswith('NUMBA_'))
    file = Path('.numba_config.yaml')
    return environment, file.read_bytes() if file.is_file() else b'', _changed()


def _changed() -> list[tuple[str, str]]:
    module = sys.modules.get(_CONFIG)
    if module is None:
        return []
    module.reload_config()  # as numba does before it compiles
    first, now = _defaults(), _values(vars(module))
    return sorted(item for item in now.items() if first.get(item[0]) != item[1])


@cache
def _defaults() -> dict[str, str]:
    """What numba would begin with: the settings of a second instance of its module."""
    spec = importlib.util.find_spec(_CONFIG)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return _values(vars(module))


def _values(names: dict[str, object]) -> dict[str, str]:
    return {
        name: repr(value)
        for name, value in names.items()
        if name.isupper() and name not in _SET_BY_NUMBA
    }
