"""Machine code from disk: what numba compiled once is loaded again without numba.

Importing numba and setting up its compiler takes half a second, more than all the rest of a start.
So the object code of each compiled function is kept in a cache and loaded by LLVM's own loader; a
key stands for everything that the code follows from.
"""

from __future__ import annotations

import builtins
import functools
import hashlib
import logging
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from . import cache
from . import exception_places as _places  # noqa: F401  (makes its symbol known)
from . import symbols as _symbols  # noqa: F401  (makes the keys of threads known)
from .cache import NativeCode
from .engine_tag import engine_tag, engine_tag_now
from .foreign import llvmlite_internals as llvm
from .foreign.mujoco_internals import library
from .foreign.numba_internals import changed_settings, runtime_functions

_log = logging.getLogger(__name__)

_INSTALLED = ('numba', 'llvmlite', 'numpy')


@dataclass(frozen=True, slots=True)
class Key:
    """What determines the code of a function, beside the versions of all that is installed."""

    parts: tuple[object, ...]
    """Equal in every process in which the code is to be the same."""
    classes: tuple[type, ...] = ()
    """The classes that the code finds by name when it is loaded, and keeps."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A function in memory."""

    address: int
    keep: Any
    """The code lives as long as this."""


_loaded: dict[tuple[object, ...], Loaded] = {}
"""What is in memory stays there: code may be running, and a reload finds it again."""


def load(
    name: str, identify: Callable[[], Key], compile_anew: Callable[[], NativeCode | None]
) -> Loaded | None:
    """The function that `identify` tells the key of, cached or compiled.

    None if it cannot be kept for other processes; `name` is for the log. Lets through what
    `identify` and `compile_anew` raise.
    """
    key = identify()
    digest = _digest(key)
    place = digest, *map(id, key.classes)
    if place in _loaded:
        return _loaded[place]
    code = cache.read(digest)
    if code is not None and _can_be_linked(code):
        _loaded[place] = _link(code, key)
        return _loaded[place]
    _log.info('compiling %s', name)
    code = compile_anew()
    if code is None:
        _log.info('the code of %s cannot be kept for the next start', name)
        return None
    if _digest(identify()) != digest or engine_tag() != engine_tag_now():
        _log.info('the code of %s is not kept: it changed while it was compiled', name)
        return _link(code, key)
    cache.write(digest, code)
    _loaded[place] = _link(code, key)
    return _loaded[place]


def _digest(key: Key) -> str:
    parts = _platform(), _settings(), key.parts
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@functools.cache
def _platform() -> tuple[str, ...]:
    """The versions and the processor that all code depends on."""
    python = f'{platform.python_implementation()} {sys.version}'
    return python, *map(version, _INSTALLED), engine_tag(), llvm.processor()


def _settings() -> tuple[object, ...]:
    """Numba's settings: of environment and file, and those that were changed after its import."""
    environment = sorted(item for item in os.environ.items() if item[0].startswith('NUMBA_'))
    file = Path('.numba_config.yaml')
    return environment, file.read_bytes() if file.is_file() else b'', changed_settings()


def _link(code: NativeCode, key: Key) -> Loaded:
    assert _can_be_linked(code), code.externals
    engine, address = llvm.link(code.object_code, code.symbol)
    return Loaded(address, (engine, key.classes))


def _can_be_linked(code: NativeCode) -> bool:
    """Whether all that the code refers to is there."""
    _add_symbols()
    return all(map(llvm.is_known, code.externals))


@functools.cache
def _add_symbols() -> None:
    """Makes known what compiled code calls: libmujoco, Python's objects and numba's runtime."""
    llvm.initialize()
    library()
    llvm.add_symbol('_Py_NoneStruct', id(None))
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException):
            llvm.add_symbol(f'PyExc_{name}', id(value))
    for name, address in runtime_functions():
        llvm.add_symbol(name, address)
