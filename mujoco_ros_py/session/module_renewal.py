"""Imports edited modules anew for a reload, with all that modules register when imported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..config import forget_classes
from ..engine import RetiredOverloads, forget_code
from ..engine.engine_plugins import registered_classes, restore_classes
from ..engine.resources import registered, restore_providers
from ..user_modules import Renewal, keep_sources


@contextmanager
def renewed_modules(wanted: bool, *, at_start: bool = False) -> Iterator[Renewal | None]:
    """Has imports find edited modules in their present form, if that is wanted.

    If the context ends with an exception, modules, overloads of numba, engine plugins and resource
    providers are as they were before. Otherwise nothing keeps the old ones alive. A start takes
    the modules that are imported as they are.
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
