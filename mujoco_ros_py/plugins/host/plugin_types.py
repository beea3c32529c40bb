"""Finds the plugin types that are installed on this machine, and imports their classes.

The description of a type is searched for in the description file of this package, then in the
files that packages register in the ament index, then in entry points. The first description of a
type counts. Unreadable descriptions are skipped, and logged once.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import chain
from pathlib import Path
from typing import Any

from ...config.wording import unknown
from ...errors import PluginError
from ...user_modules import explained, import_user_module
from ..missing_messages import as_refusal
from .description_files import Base, PluginDescription, read_descriptions

RESOURCE_TYPE = 'mujoco_ros_py__pluginlib__plugin'

_OWN = 'mujoco_ros_py'
_BUILTIN = Path(__file__).parents[2] / 'builtin' / 'plugins.xml'
_INDEX = Path('share/ament_index/resource_index') / RESOURCE_TYPE
_log = logging.getLogger(__name__)


def known_types(base: Base = Base.SERVER) -> dict[str, PluginDescription]:
    """Returns all types of a kind by name, as currently described."""
    return _first_of_each(chain(_from_files(base), _from_entry_points(base)))


def shipped_types(base: Base) -> list[PluginDescription]:
    """Returns the types of a kind that this package includes."""
    return read_descriptions(_BUILTIN, _OWN, base)


def described_types() -> list[PluginDescription]:
    """Returns the types of server plugins in description files.

    Entry points are skipped, because they declare only a class.
    """
    return list(_first_of_each(_from_files(Base.SERVER)).values())


class KnownTypes:
    """The types of one kind during a load; each description is read only once."""

    def __init__(self, base: Base = Base.SERVER) -> None:
        self._base = base
        self._known: dict[str, PluginDescription] | None = None
        self._complete = False

    def find(self, name: str) -> PluginDescription:
        """Returns the description of a type. Raises PluginError, which lists the known types.

        Entry points are read only for a type that no file describes, because this opens a file for
        each installed distribution.
        """
        if self._known is None:
            self._known = _first_of_each(_from_files(self._base))
        if name not in self._known and not self._complete:
            self._known, self._complete = known_types(self._base), True
        if name not in self._known:
            text = unknown(self._base.wording, name, self._known)
            if not name.startswith('mujoco_ros_py/'):
                text += (
                    '; if the type is new, install its package again (pip install --editable .)'
                )
            raise PluginError(text)
        return self._known[name]


def find_type(name: str, base: Base = Base.SERVER) -> PluginDescription:
    """Reads the description of a type. Raises PluginError, which lists the known types."""
    return KnownTypes(base).find(name)


def load_class(description: PluginDescription) -> type[Any]:
    """Imports the class without checking it. Raises PluginError with the cause.

    A module that is already imported is not imported again, unless a `Renewal` has removed it from
    `sys.modules`. Python does not keep a module whose import failed, so the user can fix it and
    reload.
    """
    where = f'plugin type {description.name!r} ({description.source})'
    try:
        found: Any = import_user_module(description.module)
    except (Exception, SystemExit) as error:  # importing runs the user's code
        if (refusal := as_refusal(error)) is not error:
            raise PluginError(f'{where}: {refusal}') from None
        raise PluginError(
            f'{where}: cannot import {description.module}: {explained(error, description.module)}'
        ) from error
    for part in description.qualname.split('.'):
        found = _class_in(found, part, where)
    loaded: type[Any] = found
    return loaded


def _class_in(scope: Any, name: str, where: str) -> type[Any]:
    """Returns the class with this name in a module or a class."""
    if not hasattr(scope, name):
        classes = [known for known, value in vars(scope).items() if isinstance(value, type)]
        raise PluginError(f'{where}: {scope.__name__} has {unknown("class", name, classes)}')
    found = getattr(scope, name)
    if not isinstance(found, type):
        raise PluginError(
            f'{where}: {scope.__name__}.{name} must be a class, got {type(found).__name__}'
        )
    return found


def _first_of_each(descriptions: Iterable[PluginDescription]) -> dict[str, PluginDescription]:
    known: dict[str, PluginDescription] = {}
    for new in descriptions:
        first = known.setdefault(new.name, new)
        if (first.module, first.qualname) != (new.module, new.qualname):
            _report(
                f'{new.source}: plugin type {new.name!r} is ignored:'
                f' {first.source} already defines it'
            )
    return known


def _from_files(base: Base) -> Iterator[PluginDescription]:
    for path, package in _description_files():
        try:
            yield from read_descriptions(path, package, base)
        except PluginError as error:
            _report(str(error))


def _description_files() -> Iterator[tuple[Path, str]]:
    """Yields the path of each description file, and the package that registers it."""
    yield _BUILTIN, _OWN
    for package, (prefix, resource) in _resources().items():
        try:
            lines = resource.read_text(encoding='utf-8').splitlines()
        except (OSError, ValueError) as error:
            _report(f'{resource}: cannot be read: {error}')
            continue
        for line in filter(None, map(str.strip, lines)):
            yield prefix / line, package


def _resources() -> dict[str, tuple[Path, Path]]:
    """Returns the prefix and the resource file of each package; earlier prefixes take precedence.

    `ament_index_python` does not search sys.prefix, where wheels are installed without setting
    AMENT_PREFIX_PATH.
    """
    resources: dict[str, tuple[Path, Path]] = {}
    prefixes = [*os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep), sys.prefix]
    for prefix in map(Path, filter(None, prefixes)):
        for resource in sorted((prefix / _INDEX).glob('[!.]*')):
            if resource.is_file():
                resources.setdefault(resource.name, (prefix, resource))
    return resources


def _from_entry_points(base: Base) -> Iterator[PluginDescription]:
    try:
        found = entry_points(group=base.entry_points)
    except ValueError as error:
        _report(f'entry points cannot be read: {error}')
        return
    for entry_point in found:
        try:
            yield _from_entry_point(entry_point)
        except PluginError as error:
            _report(str(error))


def _from_entry_point(entry_point: EntryPoint) -> PluginDescription:
    module, _, qualname = entry_point.value.partition('[')[0].partition(':')
    return PluginDescription(
        name=entry_point.name,
        module=module.strip(),
        qualname=qualname.strip(),
        description='',
        source=f"entry point '{entry_point.name} = {entry_point.value}'",
    )


@cache
def _report(problem: str) -> None:
    """Logs a problem once, because every plugin of every reload looks up its type again."""
    _log.warning('%s', problem)
