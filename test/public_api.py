"""Writes `test/public_api.txt`, the list of the public API: `python test/public_api.py`.

Public are the names of the modules in the table of `docs/reference/api.md`, and the members of
their classes. They are read from the source, so the list is the same for every Python and MuJoCo,
with ROS and without.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_suffix('.txt')
_FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
_PROPERTIES = 'property', 'cached_property'
_INTERNAL = '__del__', '__post_init__'


class _Definition(NamedTuple):
    file: Path
    node: ast.AST


def main() -> None:
    """Renews the list."""
    LIST.write_text(''.join(f'{line}\n' for line in public_names(ROOT, public_modules())))


def public_modules() -> list[str]:
    """Returns the modules in the table of `docs/reference/api.md`."""
    page = (ROOT / 'docs/reference/api.md').read_text()
    return sorted(set(re.findall(r'^\| \[`(\S+?)`\]', page, re.M)))


def public_names(root: Path, modules: list[str]) -> list[str]:
    """Returns a line for each name of the modules and for each member of their classes.

    A class lists the members that it inherits only from classes that are not public.
    """
    found = {
        f'{module}.{name}': _definition(file, name, root)
        for module in modules
        for file in [_file(root, module.split('.'))]
        for name in _names(file)
    }
    for path, (file, node) in list(found.items()):
        if isinstance(node, ast.Module):
            found |= {f'{path}.{name}': _definition(file, name, root) for name in _names(file)}
    first = {definition: path for path, definition in sorted(found.items(), reverse=True)}
    lines = []
    for path, definition in sorted(found.items()):
        node, (module, _, name) = definition.node, path.rpartition('.')
        if isinstance(node, (ast.ClassDef, *_FUNCTIONS)) and first[definition] != path:
            lines.append(f'{path} = {first[definition]}')
        elif isinstance(node, ast.ClassDef):
            ours = {base: first.get(each, '') for base, each in _bases(definition, root)}
            bases = [ours.get(base, base) for base in map(ast.unparse, node.bases)]
            lines.append(f'class {path}({", ".join(filter(None, bases))})')
            members = dict(_members(definition, root, frozenset(first)))
            lines += [f'{path}.{members[each]}' for each in sorted(members)]
        else:
            lines.append(f'{module}.{_line(name, node)}')
    return [line.replace(f'{modules[0].partition(".")[0]}.', '') for line in lines]


def _names(file: Path) -> list[str]:
    """Returns the names in `__all__`, or else those that a module itself defines."""
    named = _bindings(file).get('__all__')
    if isinstance(named, ast.Assign):
        return sorted(ast.literal_eval(named.value))
    found = _bindings(file).items()
    return sorted(name for name, node in found if name[0] != '_' and not _is_import(node))


def _members(
    definition: _Definition, root: Path, public: frozenset[_Definition]
) -> Iterator[tuple[str, str]]:
    """Yields the lines of a class by name, those of its bases that are not public first."""
    for _, inherited in reversed(list(_bases(definition, root))):
        if inherited not in public:
            yield from _members(inherited, root, public)
    body = _statements(definition.node.body)
    for name, found in (pair for statement in body for pair in _bound(statement)):
        if name == '__init__':
            yield from _set_by(found)
        is_called = name[:2] == '__' and name not in _INTERNAL and isinstance(found, _FUNCTIONS)
        if name[0] != '_' or is_called:
            yield name, _line(name, found)


def _bases(definition: _Definition, root: Path) -> Iterator[tuple[str, _Definition]]:
    """Yields the bases that this package defines."""
    file, node = definition
    for base in map(ast.unparse, node.bases):
        name = base.partition('[')[0]
        if name in _bindings(file):
            found = _definition(file, name, root)
            if isinstance(found.node, ast.ClassDef):
                yield base, found


def _set_by(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """Yields the public attributes that `__init__` sets."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        if node.attr[0] != '_' and ast.unparse(node) == f'self.{node.attr}':
            yield node.attr, node.attr


def _line(name: str, node: ast.AST) -> str:
    """Returns a name with its parameters, if it is a function that is called."""
    if not isinstance(node, _FUNCTIONS):
        return name
    if any(ast.unparse(each).split('.')[-1] in _PROPERTIES for each in node.decorator_list):
        return name
    for each in ast.walk(node.args):
        if isinstance(each, ast.arg):
            each.annotation = None
    return f'{name}({ast.unparse(node.args)})'


def _definition(file: Path, name: str, root: Path) -> _Definition:
    """Returns what defines a name, through all imports in this package."""
    node = _bindings(file).get(name)
    if node is None:
        raise LookupError(f'{file} does not define {name}')
    value = getattr(node, 'value', None)
    if isinstance(value, ast.Name) and value.id in _bindings(file):
        return _definition(file, value.id, root)
    if not isinstance(node, ast.ImportFrom) or not node.level:
        return _Definition(file, node)
    folder = list(file.relative_to(root).parts[: -node.level])
    folder += node.module.split('.') if node.module else []
    (origin,) = (each.name for each in node.names if name == (each.asname or each.name))
    source = _file(root, folder)
    if source != file and origin in _bindings(source):
        return _definition(source, origin, root)
    module = _file(root, [*folder, origin])
    return _Definition(module, _parsed(module))


def _file(root: Path, module: list[str]) -> Path:
    path = root.joinpath(*module)
    return path / '__init__.py' if path.is_dir() else path.with_suffix('.py')


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


@cache
def _bindings(file: Path) -> dict[str, ast.AST]:
    """Returns what binds each name of a module."""
    return dict(pair for node in _statements(_parsed(file).body) for pair in _bound(node))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields statements, those in `if` and `try` too.

    What counts comes last: `else` (of `if TYPE_CHECKING`), and what an `except` would replace.
    """
    for node in body:
        if isinstance(node, ast.Try):
            yield from _statements([*(s for each in node.handlers for s in each.body), *node.body])
        elif isinstance(node, ast.If):
            yield from _statements([*node.body, *node.orelse])
        else:
            yield node


def _bound(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    """Yields the names that a statement binds, each with what defines it."""
    if isinstance(node, (ast.ClassDef, *_FUNCTIONS)):
        yield node.name, node
    elif _is_import(node):
        yield from ((each.asname or each.name.partition('.')[0], node) for each in node.names)
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from ((each.id, node) for each in ast.walk(target) if isinstance(each, ast.Name))


def _is_import(node: ast.AST) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


if __name__ == '__main__':
    main()
