"""Machine code from disk: what numba compiled once is loaded again without numba.

Importing numba and setting up its compiler takes half a second, more than all the rest of a start.
So the object code of each compiled function is kept in a cache and loaded by LLVM's own loader; a
key stands for everything that the code follows from.
"""

from __future__ import annotations

import builtins
import ctypes
import functools
import hashlib
import importlib.util
import logging
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.metadata import version
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from . import cache
from . import stack as _stack  # noqa: F401  (makes its symbol known to compiled code)
from .cache import NativeCode
from .library import add_symbol, layer_digest, layer_tag, library
from .settings import settings

_log = logging.getLogger(__name__)

_INSTALLED = ('numba', 'llvmlite', 'numpy')

_RUNTIME_MODULES = {
    'numba._helperlib': 'numba_{}',
    'numba._dynfunc': 'numba_{}',
    'numba.core.runtime._nrt_python': 'NRT_{}',
}
"""numba's extension modules with the functions that its code calls, and the names they get."""


@dataclass(frozen=True, slots=True)
class Key:
    """What determines the code of a function, beside the versions of all that is installed."""

    parts: tuple[object, ...]
    """Equal in every process in which the code is to be the same."""
    classes: tuple[type, ...] = ()
    """Those that the code finds by name when it is loaded, and keeps."""


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
    if code is not None and _resolvable(code):
        _loaded[place] = _link(code, key)
        return _loaded[place]
    _log.info('compiling %s', name)
    code = compile_anew()
    if code is None:
        _log.info('the code of %s cannot be kept for the next start', name)
        return None
    if _digest(identify()) != digest or layer_tag() != layer_digest():
        _log.info('the code of %s is not kept: it changed while it was compiled', name)
        return _link(code, key)
    cache.write(digest, code)
    _loaded[place] = _link(code, key)
    return _loaded[place]


def _digest(key: Key) -> str:
    parts = _platform(), settings(), key.parts
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@functools.cache
def _platform() -> tuple[str, ...]:
    """What else the code depends on."""
    features = llvm.get_host_cpu_features().flatten()
    python = f'{platform.python_implementation()} {sys.version}'
    return python, *map(version, _INSTALLED), layer_tag(), features


def _link(code: NativeCode, key: Key) -> Loaded:
    """Loads the code into memory, with a name space of its own."""
    assert _resolvable(code), code.externals
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(''), _target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.object_code))
    engine.finalize_object()
    return Loaded(engine.get_function_address(code.symbol), (engine, key.classes))


def _target_machine() -> Any:
    """As numba compiles: static relocation, for code that lies where the loader puts it."""
    _initialize()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(reloc='static', codemodel='jitdefault', jit=True)


@functools.cache
def _initialize() -> None:
    for start in (llvm.initialize_native_target, llvm.initialize_native_asmprinter):
        start()
    library()
    _add_python_symbols()
    _add_runtime_symbols()


def _resolvable(code: NativeCode) -> bool:
    """Whether all is there; LLVM would end the process over a missing symbol."""
    _initialize()
    process = ctypes.CDLL(None)
    return all(llvm.address_of_symbol(n) or hasattr(process, n) for n in code.externals)


def _add_python_symbols() -> None:
    """Numba's names for Python's objects."""
    add_symbol('_Py_NoneStruct', id(None))
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException):
            add_symbol(f'PyExc_{name}', id(value))


def _add_runtime_symbols() -> None:
    """The C functions in numba's extension modules, loaded without numba itself."""
    for name, template in _RUNTIME_MODULES.items():
        for function, address in _extension(name).c_helpers.items():
            internal = function.startswith('_') and template == 'NRT_{}'
            add_symbol(function if internal else template.format(function), address)


def _extension(name: str) -> Any:
    """The extension module, under its own name, so that numba finds it if it is imported later."""
    if name not in sys.modules:
        numba = importlib.util.find_spec('numba')
        assert numba is not None
        assert numba.origin is not None
        path = Path(numba.origin).parent.joinpath(*name.split('.')[1:])
        loader = ExtensionFileLoader(name, f'{path}{EXTENSION_SUFFIXES[0]}')
        spec = importlib.util.spec_from_loader(name, loader)
        assert spec is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    return sys.modules[name]
