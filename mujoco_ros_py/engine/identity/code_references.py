"""Finds the names outside of a function that its bytecode refers to."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import NamedTuple

_ATTRIBUTES = {'LOAD_ATTR', 'LOAD_METHOD'}
_GLOBALS = {'LOAD_GLOBAL', 'LOAD_NAME'}
_CLOSURE = {'LOAD_DEREF', 'LOAD_CLASSDEREF'}
_NOTHING = {'CACHE', 'EXTENDED_ARG', 'NOP'}


class UnfollowedError(Exception):
    """The error of code that depends on something whose changes cannot be seen."""


class Reference(NamedTuple):
    """A name that code looks up, and the attributes that it reads from the value in turn."""

    name: str
    is_global: bool
    """Whether the name is global; otherwise it is a variable of an enclosing function."""
    attributes: tuple[str, ...]


@lru_cache(maxsize=1000)  # helpers are followed for each function that calls them
def references(code: CodeType) -> list[Reference]:
    """Returns all references of code and of functions inside of it, sorted, each once.

    Raises UnfollowedError for code that imports something when it runs.
    """
    return sorted(set(_find(code, set(code.co_freevars))))


def forget_references() -> None:
    """Forgets all code, as that of replaced modules is not needed any more."""
    references.cache_clear()


def _find(code: CodeType, outside: set[str]) -> Iterator[Reference]:
    """Finds references; `outside` are the variables of the functions around all of the code."""
    instructions = dis.get_instructions(code)
    operations = [(i.opname, i.argval) for i in instructions if i.opname not in _NOTHING]
    for index, (operation, name) in enumerate(operations):
        if 'IMPORT' in operation:
            raise UnfollowedError(f'{code.co_name} imports {name!r} when it runs')
        is_global = operation in _GLOBALS
        if is_global or (operation in _CLOSURE and name in outside):
            yield Reference(name, is_global, tuple(_attributes(operations, index + 1)))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _find(constant, outside.difference(code.co_cellvars))


def _attributes(operations: list[tuple[str, str]], index: int) -> Iterator[str]:
    while index < len(operations) and operations[index][0] in _ATTRIBUTES:
        yield operations[index][1]
        index += 1
