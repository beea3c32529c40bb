"""Imports the modules that plugins and models come from, and notes which these are."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from .source_loader import UserFinder, root_of

_OWN = (__package__ or '').partition('.')[0]
_entries: set[str] = set()
_finder = UserFinder()


def import_user_module(name: str) -> ModuleType:
    """Imports a module that a plugin or a model comes from, and passes on what it raises.

    A `Renewal` looks after this module, and after those of its package that it imports.
    """
    if root_of(name) != _OWN:
        _entries.add(name)
        _finder.roots.add(root_of(name))
    return importlib.import_module(name)


def entries() -> frozenset[str]:
    """Returns the full names of the modules that were imported here."""
    return frozenset(_entries)


def roots() -> frozenset[str]:
    """Returns the names of their top-level packages; a module that is in none is its own."""
    return frozenset(_finder.roots)


def keep_sources() -> None:
    """Has the modules of these packages keep the source that they are made of from now on."""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    importlib.invalidate_caches()  # of folders, so that new files are seen
