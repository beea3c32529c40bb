"""Imports users' modules with plugins and models, and keeps their source code.

These modules are imported without bytecode. Python's own loader uses the bytecode of a module if
the source still has the time and size noted in the bytecode, but an edit in the same second may
leave both unchanged. Nothing here imports MuJoCo or ROS.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import Any

from .config.wording import printable, summary


class _SourceLoader(SourceFileLoader):
    """Imports a module from its source; neither reads nor writes bytecode."""

    source: bytes | None = None
    """The content of the file from which the module was made; None before the import."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Returns a module whose attributes include the submodules that are already imported."""
        module = ModuleType(spec.name)
        for name, child in sys.modules.copy().items():
            parent, _, own = name.rpartition('.')
            if parent == spec.name:
                setattr(module, own, child)
        return module

    def get_code(self, fullname: str) -> object:  # type: ignore[override]
        """Returns the code of the module."""
        path = self.get_filename(fullname)
        source = self.get_data(path)
        if self.source is None:  # only at the import: later calls may find a changed file
            self.source = source
        return self.source_to_code(source, path)


class _UserFinder(MetaPathFinder):
    """Makes `_SourceLoader` import the modules of some top-level packages.

    The other finders locate the modules, so editable installations and all other mechanisms work
    as usual. A module without a source file keeps its own loader.
    """

    def __init__(self) -> None:
        self.roots: set[str] = set()
        """The names of the top-level packages and modules."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> Any:
        """Returns another finder's spec for the module, with the loader for sources."""
        if root_of(fullname) not in self.roots:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, 'find_spec', None)
            spec = None if find is None or finder is self else find(fullname, path, target)
            if spec is not None:
                if type(spec.loader) is SourceFileLoader:
                    spec.loader = _SourceLoader(spec.loader.name, spec.loader.path)
                return spec
        return None


_OWN = (__package__ or '').partition('.')[0]
_entries: set[str] = set()
_finder = _UserFinder()


def import_user_module(name: str) -> ModuleType:
    """Imports a module with a plugin or a model; does not catch its exceptions.

    A reload can import this module again, along with the modules of its package that it imports
    (see `session.module_renewal`).
    """
    if root_of(name) != _OWN:
        _entries.add(name)
        _finder.roots.add(root_of(name))
    return importlib.import_module(name)


def entries() -> frozenset[str]:
    """Returns the full names of the modules that `import_user_module` has imported."""
    return frozenset(_entries)


def roots() -> frozenset[str]:
    """Returns the names of the top-level packages and modules that `entries` belong to."""
    return frozenset(_finder.roots)


def keep_sources() -> None:
    """Makes all modules below `roots` keep the source from which they are imported."""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    importlib.invalidate_caches()  # the cached contents of folders may lack new files


def explained(error: BaseException, module: str) -> str:
    """Describes the error, with the file and the line in the package of the module.

    The line is the innermost call in the package, or the line that is not valid Python.
    """
    package = module.partition('.')[0]
    if isinstance(error, SyntaxError) and error.filename:
        text = printable(str(error.msg))
        return f'{type(error).__name__}: {text} ({error.filename}:{error.lineno})'
    places = [
        f' ({frame.f_code.co_filename}:{line})'
        for frame, line in walk_tb(error.__traceback__)
        if str(frame.f_globals.get('__name__')).partition('.')[0] == package
    ]
    return summary(error) + (places[-1] if places else '')


def root_of(name: str) -> str:
    """Returns the top-level package or module that a module belongs to."""
    return name.partition('.')[0]


def source_path(module: ModuleType) -> Path | None:
    """Returns the file of a module that Python imports from source; None for other modules."""
    loader = _loader(module)
    return Path(loader.path) if type(loader) in (SourceFileLoader, _SourceLoader) else None


def kept_source(module: ModuleType) -> bytes | None:
    """Returns the source from which a module was made; None if it is unknown."""
    loader = _loader(module)
    return loader.source if isinstance(loader, _SourceLoader) else None


def _loader(module: ModuleType) -> Any:
    return getattr(getattr(module, '__spec__', None), 'loader', None)
