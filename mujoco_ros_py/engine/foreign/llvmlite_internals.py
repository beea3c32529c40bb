"""Everything that the engine uses of llvmlite.binding, except the loader in `llvm_loader`.

The engine relies on these facts:

- A module compiled by numba can be read: its functions, their blocks and instructions. The last
  operand of a call is the callee.
- A parsed or linked module shows which of its values are only declared.
- LLVM returns the platform of this process, and the name and features of the processor.
- The list `_cblist` of a lock contains the functions that numba calls before and after each call
  of LLVM.

`llvmlite.ir`, which emits code, is documented, and is imported where code is emitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import llvmlite.binding as llvm


@cache
def target() -> tuple[str, str, str]:
    """Returns the platform, the processor and its features, on which compiled code depends.

    The platform is LLVM's, such as `aarch64-unknown-linux-gnu`.
    """
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features()


def features() -> str:
    """Returns the features of the processor in the format of numba and LLVM options."""
    return str(llvm.get_host_cpu_features().flatten())


@cache
def initialize() -> None:
    """Initializes LLVM to emit and load code for this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def forget_lock_callbacks() -> None:
    """Stops numba from timing each call of LLVM, which takes an eighth of the compile time.

    The metadata of numba's functions then contain no `llvm_lock` times.
    """
    for acquired, released in list(getattr(llvm.ffi.lib._lock, '_cblist', ())):
        llvm.ffi.unregister_lock_callback(acquired, released)


def declared_names(module: llvm.ModuleRef) -> list[str]:
    """Returns the names of functions and variables that a module only declares, except LLVM's."""
    values = [*module.functions, *module.global_variables]
    names = [value.name for value in values if value.is_declaration]
    return [name for name in names if not name.startswith('llvm.')]


def called_outside(module: llvm.ModuleRef, name: str) -> Iterator[str]:
    """Yields the names of functions outside of the module that one of its functions may call.

    Indirect calls, through other functions of the module, are included. The name is empty for a
    call by address.
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


def _called_by(function: llvm.ValueRef) -> Iterator[llvm.ValueRef]:
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opcode in ('call', 'invoke'):
                *_, callee = instruction.operands
                yield callee
