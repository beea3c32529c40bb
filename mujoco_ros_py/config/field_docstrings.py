"""Reads the docstrings below the fields of a configuration from its source."""

from __future__ import annotations

import ast
import inspect
import textwrap
from itertools import pairwise


def field_docs(cls: type) -> dict[str, str]:
    """Returns the docstrings of fields in one line each; empty if there is no source."""
    docs: dict[str, str] = {}
    for each in reversed(cls.__mro__[:-1]):
        docs |= _own_docs(each)
    return docs


def _own_docs(cls: type) -> dict[str, str]:
    try:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    except (OSError, TypeError, SyntaxError, ValueError):  # made by exec, for example
        return {}
    body = definition.body if isinstance(definition, ast.ClassDef) else []
    docs = {}
    for field, below in pairwise(body):
        text = below.value.value if _is_constant(below) else None  # type: ignore[attr-defined]
        if isinstance(field, ast.AnnAssign) and isinstance(text, str):
            docs[ast.unparse(field.target)] = ' '.join(text.split())
    return docs


def _is_constant(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
