"""Machine code from disk: what numba compiled once is loaded again without numba.

Importing numba and setting up its compiler takes half a second, more than all the rest of a start.
So the object code of each compiled function is kept in a cache and loaded by LLVM's own loader; a
key stands for everything that the code depends on.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import hashlib
import importlib.util
import json
import logging
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.metadata import version
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from .library import add_symbol, layer_tag, library

_log = logging.getLogger(__name__)

_INSTALLED = ('numba', 'llvmlite', 'numpy')

_RUNTIME_MODULES = {
    'numba._helperlib': 'numba_{}',
    'numba._dynfunc': 'numba_{}',
    'numba.core.runtime._nrt_python': 'NRT_{}',
}
"""numba's extension modules with the functions that its code calls, and the names they get."""


@dataclass(frozen=True, slots=True)
class NativeCode:
    """The object code of one function."""

    symbol: str
    """The function."""
    externals: tuple[str, ...]
    """What it refers to outside."""
    object_code: bytes


@dataclass(frozen=True, slots=True)
class Loaded:
    """A function in memory."""

    address: int
    keep: Any
    """The code lives as long as this."""


_loaded: dict[str, Loaded] = {}
"""What is in memory stays there: code may be running, and a reload finds it again."""


def load(
    name: str, parts: tuple[object, ...], compile_anew: Callable[[], NativeCode | None]
) -> Loaded | None:
    """The function that `parts` stand for, cached or compiled; None if it cannot be kept.

    `parts` must determine the code, beside the versions of everything installed, which are added;
    `name` is for the log.
    """
    digest = _digest(parts)
    if digest in _loaded:
        return _loaded[digest]
    path = _folder() / f'{digest}.native'
    code = _read(path)
    if code is None or not _resolvable(code):
        _log.info('compiling %s', name)
        code = compile_anew()
        if code is None:
            _log.info('the code of %s cannot be kept for the next start', name)
            return None
        _write(path, code)
    _loaded[digest] = _link(code)
    return _loaded[digest]


def _digest(parts: tuple[object, ...]) -> str:
    return hashlib.sha256(repr((_platform(), *parts)).encode()).hexdigest()


@cache
def _platform() -> tuple[str, ...]:
    """What else the code depends on."""
    features = llvm.get_host_cpu_features().flatten()
    python = f'{platform.python_implementation()} {sys.version}'
    return python, *map(version, _INSTALLED), layer_tag(), features


@cache
def _folder() -> Path:
    """Per user and private: what lies there is run."""
    root = os.environ.get('MUJOCO_ROS_PY_CACHE_DIR') or os.environ.get('XDG_CACHE_HOME')
    return Path(os.path.expanduser(root or '~/.cache')) / 'mujoco_ros_py'


def _read(path: Path) -> NativeCode | None:
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        head, _, object_code = path.read_bytes().partition(b'\n')
        header = json.loads(head)
        if header['sha256'] == hashlib.sha256(object_code).hexdigest():
            return NativeCode(header['symbol'], tuple(header['externals']), object_code)
    return None


def _write(path: Path, code: NativeCode) -> None:
    """Whole or not at all; a folder that cannot be written only costs time at the next start."""
    header = {
        'symbol': code.symbol,
        'externals': code.externals,
        'sha256': hashlib.sha256(code.object_code).hexdigest(),
    }
    content = json.dumps(header).encode() + b'\n' + code.object_code
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, 'wb') as file:
            file.write(content)
        os.replace(temporary, path)


def _link(code: NativeCode) -> Loaded:
    """Loads the code into memory, with a name space of its own."""
    assert _resolvable(code), code.externals
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(''), _target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.object_code))
    engine.finalize_object()
    return Loaded(engine.get_function_address(code.symbol), engine)


def _target_machine() -> Any:
    """As numba compiles: static relocation, for code that lies where the loader puts it."""
    _initialize()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(reloc='static', codemodel='jitdefault', jit=True)


@cache
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
