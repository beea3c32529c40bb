"""The entities that a request asks for: by names, categories, tags and bounds."""

from __future__ import annotations

from collections.abc import Collection

import mujoco
from simulation_interfaces.msg import EntityFilters, TagsFilter

from ...errors import ConfigError
from ...simulation.edits import subtree_bounds
from .bounds_messages import region_of
from .entity_book import EntityBook, Placed
from .posix_patterns import Pattern


class EntityFilter:
    """The four filters of a request; an entity has to pass all of them."""

    def __init__(self, filters: EntityFilters, book: EntityBook) -> None:
        """Raises ConfigError for filters that are wrong."""
        self._pattern = Pattern(filters.filter) if filters.filter else None
        self._categories = {each.category for each in filters.categories}
        self._tags, self._book = filters.tags, book
        check_tags(filters.tags)
        self._region = region_of(filters.bounds)

    def passed(
        self, model: mujoco.MjModel, data: mujoco.MjData, placed: Collection[Placed]
    ) -> list[Placed]:
        """Returns the entities that pass; the poses of the data must be up to date."""
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
    """Raises ConfigError for a mode that does not exist."""
    if tags.filter_mode not in (TagsFilter.FILTER_MODE_ANY, TagsFilter.FILTER_MODE_ALL):
        raise ConfigError(f'filter_mode must be 0 (any) or 1 (all), got {tags.filter_mode}')


def tags_pass(tags: TagsFilter, there: Collection[str]) -> bool:
    """Returns whether something with these tags passes a TagsFilter."""
    asked = set(tags.tags)
    if not asked:
        return True
    if tags.filter_mode == TagsFilter.FILTER_MODE_ALL:
        return asked <= set(there)
    return not asked.isdisjoint(there)
