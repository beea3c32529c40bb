"""Everything that the engine uses of llvmlite.binding, except the loader of `llvm_loader`.

The engine relies on these facts:

- A module that numba has compiled can be read: its functions, their blocks and instructions, and
  the last operand of a call is what is called.
- A parsed or linked module tells which of its values are only declared.
- LLVM tells the platform of this process, and the name and the features of the processor.
- What numba calls before and after each call of LLVM is in the list `_cblist` of a lock.

`llvmlite.ir`, which emits code, is documented, and is imported where code is emitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import llvmlite.binding as llvm


@cache
def target() -> tuple[str, str, str]:
    """Returns platform, processor and its features, on which compiled code depends.

    The platform is that of LLVM, such as `aarch64-unknown-linux-gnu`.
    """
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features()


def features() -> str:
    """Returns the features of the processor, as options of numba and LLVM name them."""
    return str(llvm.get_host_cpu_features().flatten())


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


def declared_names(module: llvm.ModuleRef) -> list[str]:
    """Returns functions and variables that a module refers to and lacks, except LLVM's own."""
    values = [*module.functions, *module.global_variables]
    names = [value.name for value in values if value.is_declaration]
    return [name for name in names if not name.startswith('llvm.')]


def called_outside(module: llvm.ModuleRef, name: str) -> Iterator[str]:
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


def _called_by(function: llvm.ValueRef) -> Iterator[llvm.ValueRef]:
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opcode in ('call', 'invoke'):
                *_, callee = instruction.operands
                yield callee
