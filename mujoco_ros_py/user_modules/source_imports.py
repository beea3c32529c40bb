"""Finds what a module imports, from the text of its source."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from importlib.util import resolve_name
from itertools import accumulate
from typing import NamedTuple

_BY_TEXT = {'__import__', 'import_module', 'iter_modules', 'walk_packages'}
"""The functions of Python that import modules whose names are data."""


class SourceImports(NamedTuple):
    """What a source imports anywhere in it, also inside of functions."""

    modules: frozenset[str] = frozenset()
    """The full names of modules that the source uses as wholes."""
    members: frozenset[tuple[str, str]] = frozenset()
    """Modules with the names that are imported from them, which may be submodules."""
    by_text: bool = False
    """Whether the source imports modules whose names are data, so that they may be any."""


def source_imports(source: bytes, package: str) -> SourceImports:
    """Returns what a module of this package imports; nothing if the source is no Python."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError):
        return SourceImports()
    return SourceImports(
        frozenset(_modules(nodes)),
        frozenset(_members(nodes, package)),
        any(_name(node) in _BY_TEXT for node in nodes),
    )


def parents(name: str) -> list[str]:
    """Returns the names of the packages that a module is in, from the outermost."""
    return list(accumulate(name.split('.')[:-1], '{}.{}'.format))


def _modules(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for alias in node.names if isinstance(node, ast.Import) else ():
            yield alias.name
            if alias.asname is None:  # `import a.b` binds a, and reaches b through it
                yield from parents(alias.name)


def _members(nodes: Iterable[ast.AST], package: str) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            try:
                base = resolve_name('.' * node.level + (node.module or ''), package)
            except ImportError:  # leads out of the package
                continue
            for alias in node.names:
                yield base, alias.name


def _name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None
