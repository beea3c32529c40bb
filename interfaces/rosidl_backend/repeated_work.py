"""Spares ROS's generators work that they would do again for every type; it halves their time.

Each of them parses all definitions, and reads the same templates for each definition. What they
write stays the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


def parse_once() -> None:
    """Makes all generators share the parsed definitions."""
    parser: Any = import_module('rosidl_parser.parser')
    parser.get_ast_from_idl_string = cache(parser.get_ast_from_idl_string)


def scan_once() -> None:
    """Makes EmPy, whose templates these are, remember where an expression ends.

    It looks for the end character by character.
    """
    em: Any = import_module('em')
    for name in ('complex', 'next'):
        setattr(em.Scanner, name, _remembering(getattr(em.Scanner, name), em.ParseError))


def _remembering(scan: Callable[..., int], error: type[Exception]) -> Callable[..., int]:
    """Returns a method of a scanner that looks only once at the same place of the same text."""
    found: dict[Any, int | Exception] = {}

    def remembered(scanner: Any, *args: Any, **options: Any) -> int:
        # EmPy 3 has no head: there the pointer alone is the place.
        place = getattr(scanner, 'head', 0) + scanner.pointer
        key = (scanner.buffer, place, *args, *options.items())
        if key not in found:
            try:
                found[key] = scan(scanner, *args, **options)
            except error as nothing:
                found[key] = type(nothing)(*nothing.args)  # its traceback would keep the scanner
        result = found[key]
        if isinstance(result, Exception):
            raise type(result)(*result.args)
        return result

    return remembered
