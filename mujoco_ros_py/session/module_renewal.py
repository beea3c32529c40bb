"""Imports edited modules again for a reload, and undoes their registrations on failure."""

from __future__ import annotations

import builtins
import importlib
import linecache
import logging
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import resolve_name
from types import ModuleType, TracebackType
from typing import Any

from ..config import forget_classes
from ..engine import RetiredOverloads, forget_code
from ..engine.engine_plugins import registered_classes, restore_classes
from ..engine.resources import registered, restore_providers
from ..errors import PluginError
from ..user_modules import entries, explained, keep_sources, root_of, roots, source_path
from .module_graph import named_imports, parents, reachable, stale

_log = logging.getLogger(__name__)
_lock = threading.RLock()
"""Held during a renewal, because all sessions of a process share their modules."""


@contextmanager
def renewed_modules(wanted: bool, *, at_start: bool = False) -> Iterator[Renewal | None]:
    """Makes imports load the current version of edited modules, if `wanted`.

    If the context ends with an exception, all modules, numba overloads, engine plugins and
    resource providers are restored. Otherwise, the references to the old ones are dropped. With
    `at_start`, at the start of a session, already imported modules are used as they are.
    """
    if at_start and wanted:
        keep_sources()
    if at_start or not wanted:
        yield None
        return
    with Renewal() as renewal:
        plugins, providers = registered_classes(), registered()
        overloads = RetiredOverloads(renewal.old.values())
        try:
            yield renewal
        except BaseException:
            RetiredOverloads(renewal.new.values()).drop()
            overloads.restore()
            restore_classes(plugins)
            restore_providers(providers)
            raise
        overloads.drop()
    if renewal.old:
        forget_classes()
        forget_code()


class Renewal:
    """A context in which imports load the current version of users' edited modules.

    On entry, the modules to be imported again are removed from `sys.modules`; each is imported
    when it is next requested. If the context ends with an exception, all modules are restored.
    Code of the old modules keeps seeing the old modules throughout. Only one thread at a time can
    be in a renewal; others wait.
    """

    def __init__(self) -> None:
        self.old: dict[str, ModuleType] = {}
        """The replaced modules, by name."""
        self._before: dict[str, ModuleType] = {}
        """All modules on entry."""
        self._stack = ExitStack()

    @property
    def new(self) -> dict[str, ModuleType]:
        """The users' modules that were imported in this context, by name."""
        return {
            name: module
            for name, module in sys.modules.copy().items()
            if root_of(name) in roots() and self._before.get(name) is not module
        }

    def __enter__(self) -> Renewal:
        with ExitStack() as stack:
            stack.enter_context(_lock)
            keep_sources()
            self._before = sys.modules.copy()
            names = stale(reachable(entries(), roots()))
            self.old = {name: sys.modules[name] for name in names}
            if self.old:
                _log.info('importing these modules again: %s', ', '.join(sorted(self.old)))
                stack.enter_context(_OldImports(self.old))
            for name, module in self.old.items():
                del sys.modules[name]
                linecache.cache.pop(str(source_path(module)), None)  # may be outdated
            self._stack = stack.pop_all()
        return self

    def complete(self) -> None:
        """Imports the removed modules that have not been requested yet.

        These are packages, and modules that functions import when called. Modules that were not
        loaded before are not imported. Raises PluginError if a module cannot be imported.
        """
        tried: set[str] = set()
        while missing := self._missing() - tried:
            tried |= missing
            for name in sorted(missing):
                _import_anew(name)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._stack:
            gone = self.old if error is None else self._take_back()
            _unbind(gone)
        self._before = {}

    def _missing(self) -> set[str]:
        """Returns the removed modules that loaded modules import, or that contain loaded ones."""
        loaded = reachable(entries(), roots())
        wanted = named_imports(loaded).union(*map(parents, loaded))
        return {name for name in self.old if name in wanted and name not in sys.modules}

    def _take_back(self) -> dict[str, ModuleType]:
        """Restores all users' modules; returns the modules that were imported in this context."""
        new = self.new
        for name in new:
            del sys.modules[name]
        sys.modules.update({n: m for n, m in self._before.items() if root_of(n) in roots()})
        return new


def _import_anew(name: str) -> None:
    try:
        importlib.import_module(name)
    except (Exception, SystemExit) as error:  # importing runs the user's code
        message = f'cannot import {name} again: {explained(error, name)}'
        _log.error('%s', message, exc_info=error)
        raise PluginError(message) from error


def _unbind(gone: Mapping[str, ModuleType]) -> None:
    """Removes modules that are no longer in sys.modules from the packages that remain."""
    for name, module in gone.items():
        parent, _, own = name.rpartition('.')
        package = vars(sys.modules[parent]) if parent in sys.modules else {}
        present = sys.modules.get(name)
        if package.get(own) is module is not present:
            package[own] = present
            if present is None:
                del package[own]


class _OldImports:
    """A context in which `import` gives old modules to old code, and new modules to other code.

    The global namespace of the importing code determines whether the code is old, on any thread. A
    callback that imports a module on each call thus keeps getting the old module.
    """

    def __init__(self, old: Mapping[str, ModuleType]) -> None:
        self._old = old
        self._namespaces = {id(vars(module)) for module in old.values()}
        self._import: Any = None

    def __enter__(self) -> None:
        self._import = builtins.__import__
        builtins.__import__ = self._dispatch

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        builtins.__import__ = self._import

    def _dispatch(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        if globals is not None and id(globals) in self._namespaces:
            full = resolve_name('.' * level + name, globals.get('__package__'))
            found = self._old.get(full if fromlist else root_of(full))
            has_all = all(each == '*' or hasattr(found, each) for each in fromlist or ())
            if full in self._old and found is not None and has_all:
                return found
        return self._import(name, globals, locals, fromlist, level)
