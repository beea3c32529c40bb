"""Loads machine code that numba compiled once from disk, without numba.

Importing numba and setting up its compiler takes half a second, more than all the rest of a start.
Therefore the object code of each compiled function is kept in a cache, and is loaded by LLVM's own
loader. Its key covers everything that determines the code.
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
from . import exception_places as _places  # noqa: F401  (registers its symbol)
from . import symbols as _symbols  # noqa: F401  (registers the keys of threads)
from .cache import NativeCode
from .engine_tag import engine_tag, engine_tag_now
from .foreign import llvmlite_internals as llvm
from .foreign.numba.numba_internals import changed_settings, runtime_functions
from .libmujoco import library

_log = logging.getLogger(__name__)

_SEPARATE = 'mujoco_ros_py_separate_'
"""The beginning of the symbols of functions that are compiled by themselves; the digest of their
key follows."""
_FILE = '.numba_config.yaml'
"""Where numba looks for settings, in the working directory."""
_INSTALLED = ('numba', 'llvmlite', 'numpy')


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a function's code, apart from the versions of all that is installed."""

    parts: tuple[object, ...]
    """The parts of the key, which are equal in all processes with the same code."""
    classes: tuple[type, ...] = ()
    """The classes that the code finds by name when it is loaded, and keeps alive."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A function in memory."""

    address: int
    keep: Any
    """The object that keeps the code alive."""


_loaded: dict[tuple[object, ...], Loaded] = {}
"""The functions in memory by key, so that a reload finds them again. Whoever runs their code keeps
them alive too."""
_shared: set[tuple[object, ...]] = set()
"""The keys of those functions that other code calls at their addresses."""


def load(
    name: str, identify: Callable[[], Key], compile_anew: Callable[[], NativeCode | None]
) -> Loaded | None:
    """Returns the function whose key `identify` returns, from the cache or newly compiled.

    Returns None if the function cannot be cached for other processes. `name` is for the log.
    Exceptions of `identify` and `compile_anew` are passed on.
    """
    key = identify()
    if (kept := load_kept(key)) is not None:
        return kept
    digest = _digest(key)
    _log.info('compiling %s', name)
    code = compile_anew()
    if code is None:
        _log.info('the code of %s cannot be kept for the next start', name)
        return None
    if _digest(identify()) != digest or engine_tag() != engine_tag_now():
        _log.info('the code of %s is not kept: it changed while it was compiled', name)
        return _link(code, key)
    cache.write(digest, code)
    return _keep(digest, code, key)


def load_kept(key: Key) -> Loaded | None:
    """Returns the function of a key, from memory or from the cache; None if it is in neither."""
    digest = _digest(key)
    place = _place(digest, key)
    if place in _loaded:
        return _loaded[place]
    code = cache.read(digest)
    if code is None or not _can_be_linked(code):
        return None
    return _keep(digest, code, key)


def _keep(digest: str, code: NativeCode, key: Key) -> Loaded:
    loaded = _loaded[_place(digest, key)] = _link(code, key)
    return loaded


def _place(digest: str, key: Key) -> tuple[object, ...]:
    return digest, *map(id, key.classes)


def load_separate(
    name: str, identify: Callable[[], Key], compile_anew: Callable[[], NativeCode | None]
) -> str | None:
    """Loads a function for other compiled functions, and returns the symbol at which they find it.

    The arguments, and the exceptions that are passed on, are those of `load`. Returns None for a
    function that cannot be cached, or that another process would not find all classes of.
    """
    key = identify()
    loaded = None if key.classes else load(name, lambda: key, compile_anew)
    if loaded is None:
        return None
    return _share(_digest(key), loaded)


def forget() -> None:
    """Forgets the functions in memory; those that somebody else keeps alive stay loaded.

    Functions that other code calls at their addresses stay in any case.
    """
    for place in _loaded.keys() - _shared:
        del _loaded[place]


def _share(digest: str, loaded: Loaded) -> str:
    """Has other code find a function at its symbol, which is returned, from now on."""
    symbol = f'{_SEPARATE}{digest}'
    _shared.add((digest,))
    llvm.add_symbol(symbol, loaded.address)
    return symbol


def _digest(key: Key) -> str:
    parts = _platform(), _settings(), key.parts
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@functools.cache
def _platform() -> tuple[str, ...]:
    """Returns the versions and the processor features that all code depends on."""
    python = f'{platform.python_implementation()} {sys.version}'
    return python, *map(version, _INSTALLED), engine_tag(), llvm.processor()


def _settings() -> tuple[object, ...]:
    """Returns numba's settings from environment and file, and those changed after its import."""
    named = (name for name in os.environb if name.startswith(b'NUMBA_'))
    environment = tuple(sorted((name, os.environb[name]) for name in named))
    told = environment, Path(_FILE).read_bytes() if os.path.isfile(_FILE) else b''
    return *told, changed_settings(told)


def _link(code: NativeCode, key: Key) -> Loaded:
    assert _can_be_linked(code), code.externals
    engine, address = llvm.link(code.object_code, code.symbol)
    return Loaded(address, (engine, key.classes))


def _can_be_linked(code: NativeCode) -> bool:
    """Returns whether all symbols that the code refers to exist."""
    _add_symbols()
    return all(map(_is_there, code.externals))


def _is_there(symbol: str) -> bool:
    """Returns whether a symbol exists; a separate function that is in the cache is loaded."""
    if llvm.is_known(symbol):
        return True
    digest = symbol.removeprefix(_SEPARATE)
    code = cache.read(digest) if digest != symbol else None
    if code is None or not _can_be_linked(code):
        return False
    loaded = _loaded[(digest,)] = _link(code, Key(()))
    _share(digest, loaded)
    return True


@functools.cache
def _add_symbols() -> None:
    """Registers the symbols of libmujoco, of Python's objects and of numba's runtime."""
    llvm.initialize()
    library()
    llvm.add_symbol('_Py_NoneStruct', id(None))
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException):
            llvm.add_symbol(f'PyExc_{name}', id(value))
    for name, address in runtime_functions():
        llvm.add_symbol(name, address)
