"""Finds the names outside of a function that its bytecode refers to."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import NamedTuple

from ..foreign import python_bytecode as bytecode


class UnfollowedError(Exception):
    """Raised for code that depends on something whose changes cannot be detected."""


class Reference(NamedTuple):
    """A name that code looks up, and the chain of attributes that it reads from the value."""

    name: str
    is_global: bool
    """Whether the name is global; otherwise it is a variable of an enclosing function."""
    attributes: tuple[str, ...]


@lru_cache(maxsize=1000)  # helpers are examined for each function that calls them
def references(code: CodeType) -> list[Reference]:
    """Returns the distinct references of code and of its inner functions, sorted.

    Raises UnfollowedError for code with an import statement, and for unknown instructions.
    """
    return sorted(set(_find(code, set(code.co_freevars))))


def forget_references() -> None:
    """Clears the cache, which would keep the code of replaced modules in memory."""
    references.cache_clear()


def _find(code: CodeType, outside: set[str]) -> Iterator[Reference]:
    """Finds references; `outside` contains the variables of enclosing functions."""
    operations = [
        (each.opname, each.argval)
        for each in dis.get_instructions(code)
        if each.opname not in bytecode.NOTHING
    ]
    for operation, name in operations:
        # The imported object is only known when the code runs.
        if 'IMPORT' in operation:
            raise UnfollowedError(f'{code.co_name} imports {name!r} when it runs')
        # An instruction of a later Python could read something that the key does not cover. A
        # wrong cache hit would silently run old code, whereas refusing only costs time.
        if operation not in bytecode.KNOWN:
            raise UnfollowedError(f'{code.co_name} has the unknown instruction {operation}')
    for index, (operation, name) in enumerate(operations):
        is_global = operation in bytecode.GLOBALS
        if is_global or (operation in bytecode.CLOSURE and name in outside):
            yield Reference(name, is_global, tuple(_attributes(operations, index + 1)))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            # Variables of this function are local to it, even if inner code refers to them.
            yield from _find(constant, outside.difference(code.co_cellvars))


def _attributes(operations: list[tuple[str, str]], index: int) -> Iterator[str]:
    # `a.b.c` is a load followed by its attributes. A call or an index ends the chain, because its
    # value is only known when the code runs.
    while index < len(operations) and operations[index][0] in bytecode.ATTRIBUTES:
        yield operations[index][1]
        index += 1
