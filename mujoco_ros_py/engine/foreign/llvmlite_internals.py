"""Everything that the engine uses of llvmlite.binding.

The engine relies on these facts:

- Symbols that are added to LLVM, or lie in a library that it loaded, are found by code it links.
- MCJIT, the older of LLVM's two loaders, takes object code that another process has made.
- A module that numba has compiled can be read: its functions, their blocks and instructions, and
  the last operand of a call is what is called.
- A parsed or linked module tells which of its values are only declared.
- LLVM tells the features of the processor.
- What numba calls before and after each call of LLVM is in the list `_cblist` of a lock.

`llvmlite.ir`, which emits code, is documented, and is imported where code is emitted.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Any

import llvmlite.binding as llvm

add_symbol = llvm.add_symbol
"""Registers an address under a name for compiled code, before that code is loaded."""
load_library = llvm.load_library_permanently
"""Makes the symbols of a shared library available to compiled code."""


@cache
def processor() -> str:
    """Returns the features of the processor, on which compiled code depends."""
    return str(llvm.get_host_cpu_features().flatten())


def is_known(symbol: str) -> bool:
    """Returns whether code that refers to the symbol can be linked."""
    return bool(llvm.address_of_symbol(symbol)) or hasattr(ctypes.CDLL(None), symbol)


def link(object_code: bytes, symbol: str) -> tuple[Any, int]:
    """Loads object code into memory, in a namespace of its own.

    Returns an object that keeps the code alive, and the address of the symbol in the code. Every
    symbol that the code refers to must be known, as LLVM ends the process for an unknown one.
    """
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(''), _target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(object_code))
    engine.finalize_object()
    return engine, engine.get_function_address(symbol)


@cache
def initialize() -> None:
    """Initializes LLVM to emit and load code for this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def forget_lock_callbacks() -> None:
    """Has numba no longer time each call of LLVM, which takes an eighth of the time of compiling.

    The metadata of numba's functions tell no `llvm_lock` times then.
    """
    for acquired, released in list(getattr(llvm.ffi.lib._lock, '_cblist', ())):
        llvm.ffi.unregister_lock_callback(acquired, released)


def _target_machine() -> Any:
    """Returns numba's target machine: code with static relocation, which stays in place."""
    initialize()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(reloc='static', codemodel='jitdefault', jit=True)


def declared_names(module: Any) -> list[str]:
    """Returns functions and variables that a module refers to and lacks, except LLVM's own."""
    values = [*module.functions, *module.global_variables]
    names = [value.name for value in values if value.is_declaration]
    return [name for name in names if not name.startswith('llvm.')]


def called_outside(module: Any, name: str) -> Iterator[str]:
    """Returns the functions outside of the module that one of its functions may call.

    Indirect calls count too. The name is empty for a function that is known only by its address.
    """
    waiting, passed = {name}, set[str]()
    while waiting - passed:
        name = (waiting - passed).pop()
        passed.add(name)
        function = module.get_function(name)
        if function.is_declaration:
            yield name
        for callee in _called_by(function):
            if callee.value_kind is llvm.ValueKind.function:
                waiting.add(callee.name)
            else:
                yield ''


def _called_by(function: Any) -> Iterator[Any]:
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opcode in ('call', 'invoke'):
                *_, callee = instruction.operands
                yield callee
