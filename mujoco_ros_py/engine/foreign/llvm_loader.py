"""LLVM's object code loader, and the symbols that loaded code can refer to.

The engine relies on these facts:

- Loaded code finds symbols that were added to LLVM or belong to a library loaded by LLVM.
- MCJIT loads object code that another process has created, and compiles nothing once its module
  has been removed.

No other file depends on MCJIT. Its successor ORC was tried with llvmlite 0.50 (LLVM 22), and the
engine's tests passed. A single ORC for all objects took 1.3 to 1.7 times as long as MCJIT to load
an object, and kept 10 KB of each unloaded object in memory. One ORC per object kept nothing, but
took nearly three times as long. llvmlite calls its ORC support experimental and skips its own
tests of it.
"""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm

from .llvmlite_internals import initialize

add_symbol = llvm.add_symbol
"""Registers an address under a name for compiled code, before that code is loaded."""
load_library = llvm.load_library_permanently
"""Makes the symbols of a shared library available to compiled code."""


def is_known(symbol: str) -> bool:
    """Returns whether code that refers to the symbol can be loaded."""
    # MCJIT also finds the symbols that the process exports: the C library and Python.
    return bool(llvm.address_of_symbol(symbol)) or hasattr(ctypes.CDLL(None), symbol)


def load(object_code: bytes, symbol: str) -> tuple[llvm.ExecutionEngine, int]:
    """Loads object code into memory, in its own namespace.

    Returns an object that keeps the code in memory, and the address of the symbol in the code. The
    code is unloaded with this object. Every symbol that the code refers to must be known: LLVM
    ends the process for an unknown symbol.
    """
    nothing = llvm.parse_assembly('')
    engine = llvm.create_mcjit_compiler(nothing, _target_machine())
    engine.remove_module(nothing)  # compiling it would take three times as long as the rest
    engine.add_object_file(llvm.ObjectFileRef.from_data(object_code))
    engine.finalize_object()
    return engine, engine.get_function_address(symbol)


def _target_machine() -> llvm.TargetMachine:
    """Returns a target machine of this process."""
    initialize()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(jit=True)
