"""Reads the docstrings below the fields of a configuration from its source."""

from __future__ import annotations

import ast
import inspect
from itertools import pairwise


def field_docs(cls: type) -> dict[str, str]:
    """Returns the docstrings of fields in one line each; empty if there is no source."""
    docs: dict[str, str] = {}
    for each in reversed(cls.__mro__[:-1]):
        docs |= _own_docs(each)
    return docs


def _own_docs(cls: type) -> dict[str, str]:
    docs = {}
    for field, below in pairwise(_body(cls)):
        text = below.value.value if _is_constant(below) else None  # type: ignore[attr-defined]
        if isinstance(field, ast.AnnAssign) and isinstance(text, str):
            docs[ast.unparse(field.target)] = ' '.join(text.split())
    return docs


def _body(cls: type) -> list[ast.stmt]:
    """Returns the statements of a class; there are none if it was made by `exec`, for example."""
    try:
        # The source of the class alone would be cut out by a tokenizer, which takes longer.
        lines, start = inspect.findsource(cls)
        nodes = ast.walk(ast.parse(''.join(lines)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return []
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            begins = [node.lineno, *(each.lineno for each in node.decorator_list)]
            if min(begins) == start + 1:
                return node.body
    return []


def _is_constant(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
