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
    objects: tuple[object, ...] = ()
    """The objects of this process that the code refers to, and keeps alive."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A function in memory."""

    address: int
    keep: Any
    """The object that keeps the code alive."""


class ProcessBoundError(Exception):
    """The error of code that no other process can load; the message tells the reason."""


_loaded: dict[tuple[object, ...], Loaded] = {}
"""The functions in memory by key, so that a reload finds them again. Whoever runs their code keeps
them alive too."""
_shared: set[tuple[object, ...]] = set()
"""The keys of those functions that other code calls at their addresses."""
_linking = threading.RLock()
"""Held where functions come into `_loaded`: of two that two threads link, one would be freed while
other code calls it."""


def load(
    name: str,
    identify: Callable[[], Key],
    compile_anew: Callable[[], NativeCode],
    compile_here: Callable[[], Loaded] | None = None,
) -> Loaded:
    """Returns the function whose key `identify` returns, from the cache or newly compiled.

    Of several processes that need the same function, one compiles it and the others wait. Where
    `compile_anew` raises ProcessBoundError, the function is compiled by `compile_here`, if
    there is one, and kept in this process. `name` is for the log. All other exceptions of the
    three functions are passed on. Raises CompilingStoppedError after `compiling.stop`.
    """
    key = identify()
    if (kept := load_kept(key)) is not None:
        return kept
    digest = _digest(key)
    # Compiling keeps a core busy for seconds: of several servers that start together, one does it.
    with cache.alone(digest) as waited:
        # The other process may have refused to keep its code, or may have been killed: then this
        # one compiles it too.
        if waited and (kept := load_kept(key)) is not None:
            return kept
        code = None
        with compiling(name):
            try:
                made = compile_anew()
                # To load code with an unknown symbol would end the process, and not raise an
                # exception.
                if unknown := [each for each in made.externals if not _is_known(each)]:
                    raise ProcessBoundError(f'it calls {unknown[0]}, which numba loads for itself')
                code, loaded = made, _link(made, key)
            except ProcessBoundError as error:
                if compile_here is None:
                    raise
                log_not_kept(name, error)
                here = compile_here()
                loaded = Loaded(here.address, (here.keep, key.objects))
        # numba reads the globals of a function while it compiles, and imports our own files when
        # it first needs them: either may be newer than the key that was made before.
        if _digest(identify()) != digest or engine_tag() != engine_tag_now():
            _log.info('the code of %s is not kept: it changed while it was compiled', name)
            return loaded
        if code is not None:
            cache.write(digest, code)
    with _linking:
        # Another thread may have loaded the function by now, and its address may be in use.
        return _loaded.setdefault(_place(digest, key), loaded)


def log_not_kept(name: str, reason: Exception) -> None:
    """Logs why each start has to compile a function again."""
    _log.info('the code of %s is not kept for the next start: %s', name, reason)


def load_kept(key: Key) -> Loaded | None:
    """Returns the function of a key, from memory or from the cache; None if it is in neither."""
    digest = _digest(key)
    place = _place(digest, key)
    # Without the lock, which is held for as long as LLVM links: most calls end here.
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
    # By identity: after a reload, an exception class is another object with the same name. `_link`
    # keeps the objects alive with the code, so no other object can get their ids.
    return digest, *map(id, key.objects)


def load_separate(
    name: str, identify: Callable[[], Key], compile_anew: Callable[[], NativeCode]
) -> str:
    """Loads a function for other compiled functions, and returns the symbol at which they find it.

    The arguments, and the exceptions that are passed on, are those of `load`. Raises
    ProcessBoundError for a function whose objects another process would not find.
    """
    key = identify()
    # Callers find this function by the digest alone, which cannot distinguish two objects with one
    # description.
    if key.objects:
        raise ProcessBoundError('it refers to classes or arrays of this process')
    return _share(_digest(key), load(name, lambda: key, compile_anew))


def forget() -> None:
    """Forgets the functions in memory; those that somebody else keeps alive stay loaded.

    Functions that other code calls at their addresses stay in any case.
    """
    # Callers of a shared function have its address in their code, and do not keep it alive.
    for place in _loaded.keys() - _shared:
        del _loaded[place]


def _share(digest: str, loaded: Loaded) -> str:
    """Has other code find a function at its symbol, which is returned, from now on.

    The function stays loaded, whether or not its code is kept for the next start.
    """
    symbol = f'{_SEPARATE}{digest}'
    place = (digest,)
    _shared.add(place)
    # The first one that was loaded stays the one for all: callers may have been linked to it.
    loader.add_symbol(symbol, _loaded.setdefault(place, loaded).address)
    return symbol


def _digest(key: Key) -> str:
    # A text of plain numbers, texts and tuples: the same in each process, unlike a hash of Python.
    parts = _platform(), _settings(), key.parts
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@functools.cache
def _platform() -> tuple[str, ...]:
    """Returns the versions, the platform and the processor that all code depends on.

    Machines of several kinds may share the folder of the cache.
    """
    python = f'{platform.python_implementation()} {sys.version}'
    return python, *map(version, _INSTALLED), engine_tag(), *target()


def _settings() -> tuple[object, ...]:
    """Returns numba's settings from environment and file, and those changed after its import."""
    # As bytes: a value need not be valid UTF-8.
    named = (name for name in os.environb if name.startswith(b'NUMBA_'))
    environment = tuple(sorted((name, os.environb[name]) for name in named))
    given = environment, Path(_FILE).read_bytes() if os.path.isfile(_FILE) else b''
    return *given, changed_settings(given)


def _link(code: NativeCode, key: Key) -> Loaded:
    assert _can_be_linked(code), code.externals
    memory, address = loader.load(code.object_code, code.symbol)
    return Loaded(address, (memory, key.objects))


def _can_be_linked(code: NativeCode) -> bool:
    """Returns whether all symbols that the code refers to exist."""
    return all(map(_is_known, code.externals))


def _is_known(symbol: str) -> bool:
    _add_symbols()
    return _is_there(symbol)


def _is_there(symbol: str) -> bool:
    """Returns whether a symbol exists; a separate function that is in the cache is loaded."""
    digest = symbol.removeprefix(_SEPARATE)
    with _linking:
        # Asked again with the lock held, because another thread may have linked it.
        if loader.is_known(symbol):
            return True
        # Any other symbol has no prefix to remove, and is not in the cache.
        code = cache.read(digest) if digest != symbol else None
        if code is None or not _can_be_linked(code):
            return False
        _share(digest, _link(code, Key(())))
    return True


@functools.cache
def _add_symbols() -> None:
    """Registers the symbols of libmujoco, of Python's objects and of numba's runtime."""
    initialize()
    library()
    # numba registers these three groups when it is imported (`_load_global_helpers`); code from
    # the cache needs them without it.
    loader.add_symbol('_Py_NoneStruct', id(None))
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException):
            loader.add_symbol(f'PyExc_{name}', id(value))
    for name, address in runtime_functions():
        loader.add_symbol(name, address)
