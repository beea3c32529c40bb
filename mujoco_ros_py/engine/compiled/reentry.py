"""Which compiled functions may be called again, by what they call, before they have returned."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from llvmlite.binding import ValueKind

_HARMLESS = 'llvm.', 'mju_', 'NRT_', 'numba_'
"""How the names of functions begin that call nobody else: LLVM's, MuJoCo's and numba's own."""
_MATHEMATICS = frozenset(dir(math))
"""The C library calls its functions as Python does."""
_LEADS_ELSEWHERE = 'numba_gil_ensure', 'numba_parallel_for'
"""To Python, and to code on other threads."""


def may_come_back(compiled: Any) -> bool:
    """Whether the code calls MuJoCo's pipeline, Python, or what cannot be judged."""
    return not all(map(_is_harmless, _callees(compiled)))


def _is_harmless(name: str) -> bool:
    known = name.startswith(_HARMLESS) or name in _MATHEMATICS
    return known and name not in _LEADS_ELSEWHERE


def _callees(compiled: Any) -> Iterator[str]:
    """What is called outside of the code, by name; empty for what is known by an address only."""
    module = compiled.library._final_module
    waiting = {compiled.fndesc.llvm_func_name}
    passed: set[str] = set()
    while waiting - passed:
        name = (waiting - passed).pop()
        passed.add(name)
        function = module.get_function(name)
        if function.is_declaration:
            yield name
        for callee in _called_by(function):
            if callee.value_kind is ValueKind.function:
                waiting.add(callee.name)
            else:
                yield ''


def _called_by(function: Any) -> Iterator[Any]:
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opcode in ('call', 'invoke'):
                *_, callee = instruction.operands
                yield callee
