"""Selects the entities of a request by names, categories, tags and bounds."""

from __future__ import annotations

import re
from collections.abc import Collection

import mujoco
from simulation_interfaces.msg import EntityFilters, TagsFilter

from ...config.wording import shown
from ...errors import ConfigError
from ...simulation.edits import subtree_bounds
from .bounds_messages import region_of
from .entity_book import EntityBook, Placed

_MOST_CHARACTERS = 200
_ESCAPE_OR_BRACKET = re.compile(r'\\(.?)|\[\^?\]?(?:\[:\w*:\]|[^]])*\]', re.DOTALL)
_ESCAPED = frozenset('^.[]$()|*+?{}\\/-')
"""The characters that a backslash may precede. RE2 has other escapes, too, but POSIX does not."""


class EntityFilter:
    """The four filters of a request; an entity must pass all of them."""

    def __init__(self, filters: EntityFilters, book: EntityBook) -> None:
        """Raises ConfigError for invalid filters."""
        self._pattern = Pattern(filters.filter) if filters.filter else None
        self._categories = {each.category for each in filters.categories}
        self._tags, self._book = filters.tags, book
        check_tags(filters.tags)
        self._region = region_of(filters.bounds)

    def passed(
        self, model: mujoco.MjModel, data: mujoco.MjData, placed: Collection[Placed]
    ) -> list[Placed]:
        """Returns the entities that pass; the poses in the data must be up to date."""
        return [each for each in placed if self._passes(model, data, each)]

    def _passes(self, model: mujoco.MjModel, data: mujoco.MjData, placed: Placed) -> bool:
        if self._pattern is not None and not self._pattern.search(placed.entity.name):
            return False
        if self._categories or self._tags.tags:
            info = self._book.info(model, placed)
            if self._categories and info.category.category not in self._categories:
                return False
            if not tags_pass(self._tags, info.tags):
                return False
        if self._region is None:
            return True
        corners, body = subtree_bounds(model, data, placed.body), placed.body
        return self._region.overlaps(corners, data.xpos[body], data.xmat[body].reshape(3, 3))


def check_tags(tags: TagsFilter) -> None:
    """Raises ConfigError for an invalid filter mode."""
    if tags.filter_mode not in (TagsFilter.FILTER_MODE_ANY, TagsFilter.FILTER_MODE_ALL):
        raise ConfigError(f'filter_mode must be 0 (any) or 1 (all), got {tags.filter_mode}')


def tags_pass(tags: TagsFilter, there: Collection[str]) -> bool:
    """Returns whether an object with these tags passes a TagsFilter."""
    asked = set(tags.tags)
    if not asked:
        return True
    if tags.filter_mode == TagsFilter.FILTER_MODE_ALL:
        return asked <= set(there)
    return not asked.isdisjoint(there)


class Pattern:
    """A POSIX extended regular expression to search for in names.

    Python's `re` reads these expressions differently, and needs exponential time for some of them,
    for example `(a|a)*b`. RE2 needs linear time.
    """

    def __init__(self, text: str) -> None:
        """Raises ConfigError for an invalid or too long expression, and if RE2 is missing."""
        try:
            import re2
        except ImportError:
            raise ConfigError(
                "filter needs the library google-re2: pip install 'mujoco_ros_py[filter]'"
            ) from None
        if len(text) > _MOST_CHARACTERS:
            raise _wrong(text, f'it has more than {_MOST_CHARACTERS} characters')
        options = re2.Options()
        options.posix_syntax = options.one_line = options.dot_nl = options.never_capture = True
        options.log_errors = False
        try:
            self._search = re2.compile(_as_re2(text), options).search
        except re2.error as error:
            raise _wrong(text, error.args[0].decode()) from None

    def search(self, name: str) -> bool:
        """Returns whether the expression matches anywhere in the name."""
        return self._search(name) is not None


def _as_re2(text: str) -> str:
    """Converts an expression to RE2's syntax, where backslashes in brackets must be doubled."""

    def written(found: re.Match[str]) -> str:
        part = found[0]
        if part[0] == '[':
            if '[.' in part or '[=' in part:
                raise _wrong(text, 'it has collating elements')
            return part.replace('\\', '\\\\')
        if found[1] not in _ESCAPED:
            raise _wrong(text, f'a backslash before {found[1]!r} has no meaning')
        return part

    return _ESCAPE_OR_BRACKET.sub(written, text)


def _wrong(text: str, reason: str) -> ConfigError:
    return ConfigError(
        f'filter is not a POSIX extended regular expression: {shown(text)}: {reason}'
    )
