"""Lets the code of replaced modules import each other, while newer ones are in sys.modules."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from importlib.util import resolve_name
from types import ModuleType, TracebackType
from typing import Any

from .source_loader import root_of


class OldImports:
    """A context in which `import` gives old modules to old code, and new modules to all others.

    Whose code it is tells the namespace of the importing module, on whichever thread it runs. So
    a callback that imports something each time it is called keeps what it has.
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
