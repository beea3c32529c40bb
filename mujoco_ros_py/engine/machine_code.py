"""Loads compiled functions from disk without importing numba.

Importing numba and setting up its compiler takes half a second, more than the rest of a start.
Therefore a cache stores the object code of each compiled function, and LLVM loads it without
numba. The cache key covers everything that affects the code.
"""

from __future__ import annotations

import builtins
import functools
import hashlib
import logging
import os
import platform
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from . import cache
from . import exception_places as _places  # noqa: F401  (registers its symbol)
from . import symbols as _symbols  # noqa: F401  (registers the keys of threads)
from .cache import NativeCode
from .compiling import compiling
from .engine_tag import engine_tag, engine_tag_now
from .foreign import llvm_loader as loader
from .foreign.llvmlite_internals import initialize, target
from .foreign.numba.numba_internals import changed_settings, runtime_functions
from .libmujoco import library

_log = logging.getLogger(__name__)

_SEPARATE = 'mujoco_ros_py_separate_'
"""Symbol prefix of separately compiled functions; the digest of the key follows."""
_FILE = '.numba_config.yaml'
"""The settings file that numba reads from the working directory."""
_INSTALLED = ('numba', 'llvmlite', 'numpy')


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a function's code; `_digest` adds the platform and the versions of packages."""

    parts: tuple[object, ...]
    """The parts of the key; equal in all processes with the same code."""
    objects: tuple[object, ...] = ()
    """Objects of this process that the code refers to and keeps alive."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A function loaded into memory."""

    address: int
    keep: Any
    """The object that keeps the code alive."""


class ProcessBoundError(Exception):
    """Raised for code that other processes cannot load; the message gives the reason."""


_loaded: dict[tuple[object, ...], Loaded] = {}
"""The functions in memory, keyed by digest and object ids, so that a reload finds its unchanged
functions. Objects that use a function also keep its code alive."""
_shared: set[tuple[object, ...]] = set()
"""Keys of the functions that other code calls by address."""
_linking = threading.RLock()
"""Held while adding functions to `_loaded`. Otherwise two threads could link the same function,
and one copy would be freed while other code calls it."""


def load(
    name: str,
    identify: Callable[[], Key],
    compile_anew: Callable[[], NativeCode],
    compile_here: Callable[[], Loaded] | None = None,
) -> Loaded:
    """Returns the function with this key, from the cache or newly compiled.

    If several processes need the same function, one compiles it and the others wait. If
    `compile_anew` raises ProcessBoundError, `compile_here` compiles the function for this process
    only; without `compile_here` the error is raised. All other exceptions of the three callables
    are passed on. `name` is used in the log. Raises CompilingStoppedError after `compiling.stop`.
    """
    key = identify()
    if (kept := load_kept(key)) is not None:
        return kept
    digest = _digest(key)
    # Compiling keeps a core busy for seconds, so of several servers that start together, only one
    # compiles.
    with cache.alone(digest) as waited:
        # The other process may have failed to store its code, or may have been killed. In this
        # case this process compiles the function too.
        if waited and (kept := load_kept(key)) is not None:
            return kept
        code = None
        with compiling(name):
            try:
                made = compile_anew()
                # Loading code with an unknown symbol would end the process instead of raising an
                # exception.
                if unknown := [each for each in made.externals if not _is_known(each)]:
                    raise ProcessBoundError(f'it calls {unknown[0]}, which only numba provides')
                code, loaded = made, _link(made, key)
            except ProcessBoundError as error:
                if compile_here is None:
                    raise
                log_not_kept(name, error)
                here = compile_here()
                loaded = Loaded(here.address, (here.keep, key.objects))
        # numba reads a function's globals while compiling, and this package's files are imported
        # on first use. Both may have changed since the key was computed.
        if _digest(identify()) != digest or engine_tag() != engine_tag_now():
            _log.info('the code of %s is not kept: it changed while it was compiled', name)
            return loaded
        if code is not None:
            cache.write(digest, code)
    with _linking:
        # Another thread may have loaded the function by now, and its address may be in use.
        return _loaded.setdefault(_place(digest, key), loaded)


def log_not_kept(name: str, reason: Exception) -> None:
    """Logs the reason why the next start has to compile a function again."""
    _log.info('the code of %s is not kept for the next start: %s', name, reason)


def load_kept(key: Key) -> Loaded | None:
    """Returns a function from memory or from the cache; None if neither contains it."""
    digest = _digest(key)
    place = _place(digest, key)
    # Most calls return here, without waiting for the lock, which another thread may hold while
    # LLVM links code.
    if (loaded := _loaded.get(place)) is not None:
        return loaded
    with _linking:
        if place not in _loaded:
            code = cache.read(digest)
            if code is None or not _can_be_linked(code):
                return None
            _loaded[place] = _link(code, key)
        return _loaded[place]


def _place(digest: str, key: Key) -> tuple[object, ...]:
    # Compares objects by identity: after a reload, an exception class is a new object with the
    # same name. `_link` keeps the objects alive with the code, so no other object gets their ids.
    return digest, *map(id, key.objects)


def load_separate(
    name: str, identify: Callable[[], Key], compile_anew: Callable[[], NativeCode]
) -> str:
    """Loads a function for other compiled functions; returns the symbol that they link to.

    Arguments and exceptions are the same as for `load`. In addition, raises ProcessBoundError if
    the function refers to objects of this process.
    """
    key = identify()
    # Callers link to the digest alone, which does not distinguish two objects with the same
    # description.
    if key.objects:
        raise ProcessBoundError('it refers to classes or arrays of this process')
    return _share(_digest(key), load(name, lambda: key, compile_anew))


def forget() -> None:
    """Drops the functions in memory; functions that are still in use stay loaded.

    Functions that other code calls by address always stay.
    """
    # Callers of a shared function contain its address, but do not keep it alive.
    for place in _loaded.keys() - _shared:
        del _loaded[place]


def _share(digest: str, loaded: Loaded) -> str:
    """Registers a function under its symbol for other code, and returns the symbol.

    The function stays loaded, whether or not its code is in the cache.
    """
    symbol = f'{_SEPARATE}{digest}'
    place = (digest,)
    _shared.add(place)
    # If the function was loaded before, uses that code, because callers may be linked to it.
    loader.add_symbol(symbol, _loaded.setdefault(place, loaded).address)
    return symbol


def _digest(key: Key) -> str:
    # Hashes the text of the parts, which are numbers, strings and tuples. Python's own hashes
    # differ between processes.
    parts = _platform(), _settings(), key.parts
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@functools.cache
def _platform() -> tuple[str, ...]:
    """Returns what all code depends on: versions of packages, the platform and the processor.

    The platform and the processor matter because machines may share the cache folder.
    """
    python = f'{platform.python_implementation()} {sys.version}'
    return python, *map(version, _INSTALLED), engine_tag(), *target()


def _settings() -> tuple[object, ...]:
    """Returns numba's settings from the environment and its file, and changes after its import."""
    # Reads bytes, because a value can be invalid UTF-8.
    named = (name for name in os.environb if name.startswith(b'NUMBA_'))
    environment = tuple(sorted((name, os.environb[name]) for name in named))
    given = environment, Path(_FILE).read_bytes() if os.path.isfile(_FILE) else b''
    return *given, changed_settings(given)


def _link(code: NativeCode, key: Key) -> Loaded:
    assert _can_be_linked(code), code.externals
    memory, address = loader.load(code.object_code, code.symbol)
    return Loaded(address, (memory, key.objects))


def _can_be_linked(code: NativeCode) -> bool:
    """Returns whether all symbols that the code refers to are available."""
    return all(map(_is_known, code.externals))


def _is_known(symbol: str) -> bool:
    _add_symbols()
    return _is_there(symbol)


def _is_there(symbol: str) -> bool:
    """Returns whether a symbol is available, loading separate functions from the cache."""
    digest = symbol.removeprefix(_SEPARATE)
    with _linking:
        # Checks with the lock held, because another thread may be linking this function.
        if loader.is_known(symbol):
            return True
        # Only symbols with the prefix belong to functions in the cache.
        code = cache.read(digest) if digest != symbol else None
        if code is None or not _can_be_linked(code):
            return False
        _share(digest, _link(code, Key(())))
    return True


@functools.cache
def _add_symbols() -> None:
    """Registers the symbols of libmujoco, of Python objects and of numba's runtime."""
    initialize()
    library()
    # numba registers these symbols when it is imported (`_load_global_helpers`). Cached code needs
    # them before numba is imported.
    loader.add_symbol('_Py_NoneStruct', id(None))
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException):
            loader.add_symbol(f'PyExc_{name}', id(value))
    for name, address in runtime_functions():
        loader.add_symbol(name, address)
