"""Finds the modules that a reload must import again: edited ones, and their dependents."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator
from importlib.util import resolve_name
from itertools import accumulate
from types import ModuleType
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ..user_modules import kept_source, root_of, source_path

_imports: WeakKeyDictionary[ModuleType, SourceImports] = WeakKeyDictionary()
"""The imports of each module, which are computed only once."""
_BY_TEXT = {'__import__', 'import_module', 'iter_modules', 'walk_packages'}
"""Python functions that import modules by names computed at run time."""


def reachable(entries: Iterable[str], roots: Collection[str]) -> set[str]:
    """Returns the loaded modules in `roots` that the entries import, directly or indirectly."""
    found: set[str] = set()
    waiting = {name for name in entries if name in sys.modules}
    while waiting:
        name = waiting.pop()
        found.add(name)
        needed = {each for each in _needs(name) if root_of(each) in roots}
        waiting |= {each for each in (*needed, *parents(name)) if each in sys.modules} - found
    return found


def stale(names: Collection[str]) -> set[str]:
    """Returns the modules that must be imported again.

    These are the edited modules, the modules that import them directly or indirectly, and the
    packages that contain them (an old package would otherwise expose the new modules as
    attributes). A module without a source file is never imported again.
    """
    renewable = {name for name in names if source_path(sys.modules[name]) is not None}
    found = {name for name in renewable if _is_edited(sys.modules[name])}
    before: set[str] = set()
    while found != before:
        before = set(found)
        found |= {each for name in before for each in parents(name)} & renewable
        found |= {name for name in renewable - found if found & _needs(name)}
    return found


def named_imports(names: Iterable[str]) -> set[str]:
    """Returns the full names of all modules that these loaded modules may import."""
    every = [_imports_of(sys.modules[name]) for name in names]
    members = {(base, name) for each in every for base, name in each.members}
    submodules = {f'{base}.{name}' for base, name in members}
    bases = {base for base, _ in members}
    return submodules | bases | {name for each in every for name in each.modules}


def _is_edited(module: ModuleType) -> bool:
    """Returns whether a module's file was edited since its import; True if this is unknown."""
    path = source_path(module)
    assert path is not None
    try:
        return path.read_bytes() != kept_source(module)
    except OSError:  # it was deleted or renamed
        return True


def _needs(name: str) -> set[str]:
    """Returns the loaded modules whose objects a module uses."""
    imports = _imports_of(sys.modules[name])
    needed = {*imports.modules, *(_provider(base, own) for base, own in imports.members)}
    if imports.by_text:
        needed |= {each for each in sys.modules.copy() if root_of(each) == root_of(name)}
    return {each for each in needed if each in sys.modules}


def _provider(base: str, own: str) -> str:
    """Returns the module that provides `own` in `from base import own`: a submodule or `base`.

    If the package also has an attribute with this name, the import returns the attribute.
    """
    submodule = sys.modules.get(f'{base}.{own}')
    is_submodule = submodule is not None
    found = getattr(sys.modules.get(base), own, submodule)
    return f'{base}.{own}' if is_submodule and found is submodule else base


def _imports_of(module: ModuleType) -> SourceImports:
    if source_path(module) is None:
        return SourceImports()
    if module not in _imports:
        _imports[module] = source_imports(_source(module), module.__package__ or '')
    return _imports[module]


def _source(module: ModuleType) -> bytes:
    """Returns the source a module was loaded from, or else the current content of its file."""
    kept, path = kept_source(module), source_path(module)
    if kept is not None:
        return kept
    try:
        return b'' if path is None else path.read_bytes()
    except OSError:
        return b''


class SourceImports(NamedTuple):
    """All imports in a source, including those inside functions."""

    modules: frozenset[str] = frozenset()
    """The full names of modules that the source imports as a whole."""
    members: frozenset[tuple[str, str]] = frozenset()
    """Pairs of a module and a name imported from it; the name may be a submodule."""
    by_text: bool = False
    """Whether the source computes names of modules at run time, and so may import any module."""


def source_imports(source: bytes, package: str) -> SourceImports:
    """Returns the imports of a module in this package; empty if the source is not valid Python."""
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
    """Returns the names of the packages that contain a module, outermost first."""
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
            except ImportError:  # a relative import beyond the top-level package
                continue
            for alias in node.names:
                yield base, alias.name


def _name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None
