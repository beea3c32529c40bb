"""Prints the files of tests that a change can break: `python test/changed.py [COMMIT]`.

The change is what differs from the commit (default: HEAD), files that git does not know included.
A module that has changed reaches every module that imports it, directly or not. Chosen are the
tests of all rooms that are reached, and others that name a module that is reached, in their own
files or in those of `test` that they import. Whoever starts the server names all its modules.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PACKAGE = 'mujoco_ros_py'
SERVER = f'{PACKAGE}.ros', f'{PACKAGE}.builtin'
"""What the server consists of, and imports by name; it imports the rooms below by itself."""
ALL = ('.ci', 'Makefile', 'package.xml', 'pyproject.toml', 'setup.cfg', 'setup.py')
"""What all tests depend on, as on `test/conftest.py`."""
_MODULE = re.compile(rf'from {PACKAGE} import ([\w, ]+)|({PACKAGE}(?:\.\w+)*)(?![\w/[])')
_PLUGIN = re.compile(rf'{PACKAGE}/[A-Z]')
_IMPORT = re.compile(r'^ *(?:from (\.*)([\w.]*) import ([\w, ]+)|import ([\w.]+))', re.MULTILINE)


def main() -> None:
    """Prints the chosen files, one a line; `test` alone stands for all of them."""
    since = sys.argv[1] if sys.argv[1:] else 'HEAD'
    print(*chosen(changed(since)), sep='\n')


def changed(since: str) -> list[str]:
    """Returns the files that differ from a commit, relative to the repository."""
    differing = ['git', 'diff', '--name-only', '--no-renames', since, '--']
    unknown = ['git', 'ls-files', '--others', '--exclude-standard']
    return sorted({line for command in (differing, unknown) for line in _lines(command)})


def chosen(files: Iterable[str]) -> list[str]:
    """Returns the files of the tests that a change of these files can break."""
    files = [Path(file) for file in files]
    if any(file.parts[0] in ALL or file == Path('test/conftest.py') for file in files):
        return ['test']
    reached = {module for file in files for module in _reached(file)}
    others = [file for file in files if file.parts[0] not in (PACKAGE, 'test')]
    rooms = {module.split('.')[1] for module in reached}
    return [
        str(test.relative_to(ROOT))
        for test in _tests()
        if _room(test) in rooms
        or not reached.isdisjoint(_named(_sources(test)))
        or any(_reads(test, file) for file in others)
        or any(ROOT / file in _sources(test) or _is_beside(ROOT / file, test) for file in files)
    ]


def _room(test: Path) -> str:
    return test.relative_to(ROOT / 'test').parts[0].removeprefix('test_').removesuffix('.py')


def _reads(test: Path, file: Path) -> bool:
    """Returns whether a test names the folder of a file outside of the package, or the file."""
    name = re.escape(file.parts[0])
    return bool(re.search(rf'[\'"/]{name}[\'"/]|\b{name}/', _text(_sources(test))))


def _is_beside(file: Path, test: Path) -> bool:
    """Returns whether a file of no Python lies in the folder of a test, which may read it."""
    return file.suffix != '.py' and file.parent != ROOT / 'test' and file.parent == test.parent


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph(PACKAGE, exclude_type_checking_imports=True)


def _reached(file: Path) -> set[str]:
    """Returns the modules that a change of a file reaches."""
    if file.parts[0] == 'interfaces':
        return set(SERVER)
    if file.parts[0] != PACKAGE:
        return set()
    module = '.'.join(file.with_suffix('').parts)
    if file.suffix != '.py' or file.stem == '__init__' or module not in _graph().modules:
        module = _package(file)
        below = {module, *_graph().find_descendants(module)}
        reached = below | _graph().find_downstream_modules(module, as_package=True)
    else:
        reached = {module, *_graph().find_downstream_modules(module)}
    # Whoever imports a module of a package runs the `__init__` of the package.
    return reached | {name for name in SERVER if any(_is_in(each, name) for each in reached)}


def _package(file: Path) -> str:
    """Returns the nearest package above a file that is no module of its own, or no longer."""
    folder = file.parent
    while '.'.join(folder.parts) not in _graph().modules:
        folder = folder.parent
    return '.'.join(folder.parts)


@cache
def _tests() -> list[Path]:
    return sorted((ROOT / 'test').rglob('test_*.py'))


def _named(sources: Iterable[Path]) -> Iterator[str]:
    """Returns the modules that files name, and those of the server if they name the package."""
    if _PLUGIN.search(_text(sources)):
        yield f'{PACKAGE}.builtin'
    found = set(_MODULE.findall(_text(sources)))
    names = {f'{PACKAGE}.{word.strip()}' for words, _ in found for word in words.split(',')}
    for module in names.union(name for _, name in found) - {f'{PACKAGE}.', ''}:
        while module not in _graph().modules:  # the end of the name is a function or a class
            module = module.rpartition('.')[0]
        if module == PACKAGE:
            yield from SERVER
        yield module


@cache
def _sources(test: Path) -> frozenset[Path]:
    """Returns a file of tests, and the files of `test` and `scripts` that it imports."""
    found, waiting = {test}, [test]
    while waiting:
        file = waiting.pop()
        for each in _imported(file):
            if each not in found:
                found.add(each)
                waiting.append(each)
    conftests = (folder / 'conftest.py' for folder in test.parents if folder != ROOT / 'test')
    return frozenset([*found, *(each for each in conftests if each.exists())])


def _imported(file: Path) -> Iterator[Path]:
    for dots, module, names, plain in _IMPORT.findall(file.read_text()):
        base = file.parents[len(dots) - 1] if dots else None
        words = (module or plain).split('.') if module or plain else []
        for folder in [base] if base else [ROOT / 'test', ROOT / 'scripts']:
            place = folder.joinpath(*words)
            for path in (place.with_suffix('.py'), *_members(place, names)):
                if path.is_file():
                    yield path


def _members(folder: Path, names: str) -> list[Path]:
    return [folder / f'{name.strip()}.py' for name in names.split(',') if name.strip()]


@cache
def _text(sources: frozenset[Path]) -> str:
    return '\n'.join(file.read_text() for file in sources)


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f'{package}.')


def _lines(command: list[str]) -> list[str]:
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()


if __name__ == '__main__':
    main()
