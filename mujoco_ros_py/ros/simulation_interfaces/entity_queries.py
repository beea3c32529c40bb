"""get_entities, get_entities_states, get_entity_state, _info and _bounds, and set_entity_info."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from simulation_interfaces.msg import EntityState
from simulation_interfaces.srv import (
    GetEntities,
    GetEntitiesStates,
    GetEntityBounds,
    GetEntityInfo,
    GetEntityState,
    SetEntityInfo,
)

from ...simulation import Snapshot
from ...simulation.edits import BodyMotion, body_motions, subtree_bounds
from ..services.geometry_values import write_header, write_quat, write_vector
from ..services.offered import Begin, Fill, Service, settled
from .bounds_messages import fill_bounds
from .entity_book import EntityBook, Placed, entities_in, placed_in
from .entity_filters import EntityFilter
from .results import UNSUPPORTED, ResultError
from .services import StandardServices

_CATEGORIES = range(6)


def offer_entity_queries(offered: StandardServices, book: EntityBook) -> None:
    """Offers the services that describe entities."""
    asked = _Queries(offered, book)
    offered.offer(
        Service(GetEntities, 'get_entities', asked.filtered(asked.write_names)),
        Service(GetEntitiesStates, 'get_entities_states', asked.filtered(asked.write_states)),
        Service(GetEntityState, 'get_entity_state', asked.one(asked.write_state)),
        Service(GetEntityInfo, 'get_entity_info', asked.one(asked.write_info)),
        Service(GetEntityBounds, 'get_entity_bounds', asked.one(asked.write_bounds)),
        Service(SetEntityInfo, 'set_entity_info', asked.set_info),
    )
    offered.provide(
        'ENTITY_TAGS', 'ENTITY_BOUNDS', 'ENTITY_BOUNDS_BOX', 'ENTITY_BOUNDS_CONVEX',
        'ENTITY_CATEGORIES', 'ENTITY_STATE_GETTING', 'ENTITY_INFO_GETTING', 'ENTITY_INFO_SETTING',
    )  # fmt: skip


class _Queries:
    """Handles the requests: finds the entities, and writes their values from a snapshot."""

    def __init__(self, offered: StandardServices, book: EntityBook) -> None:
        self._offered, self._book = offered, book
        self._world = offered.assembly.world

    def filtered(self, write: Callable[[Any, Snapshot, list[Placed]], None]) -> Begin:
        """Returns a `Begin` that filters entities, and calls `write(response, now, passed)`."""

        def begin(request: Any) -> tuple[Future[Snapshot], Fill]:
            asked = EntityFilter(request.filters, self._book)

            def fill(response: Any, now: Snapshot) -> None:
                now.update()
                there = entities_in(self._world, now.model)
                write(response, now, asked.passed(now.model, now.data, there))

            return self._offered.assembly.simulation.snapshot(), fill

        return begin

    def one(self, write: Callable[[Any, Snapshot, Placed], None]) -> Begin:
        """Returns a `Begin` that finds one entity, and calls `write(response, now, entity)`."""

        def begin(request: Any) -> tuple[Future[Snapshot], Fill]:
            entity = self._world.find(request.entity)

            def fill(response: Any, now: Snapshot) -> None:
                write(response, now, placed_in(now.model, entity))

            return self._offered.assembly.simulation.snapshot(), fill

        return begin

    def write_names(
        self, response: GetEntities.Response, now: Snapshot, passed: list[Placed]
    ) -> None:
        """Writes the names of the entities that pass the filter."""
        response.entities = [each.entity.name for each in passed]

    def write_states(
        self, response: GetEntitiesStates.Response, now: Snapshot, passed: list[Placed]
    ) -> None:
        """Writes the names and states of the entities that pass the filter."""
        motions = body_motions(now.model, now.data, [each.body for each in passed])
        response.entities = [each.entity.name for each in passed]
        states = [EntityState() for _ in motions]
        for state, motion in zip(states, motions, strict=True):
            _write_state(state, motion, self._offered.world_frame, now.ros_time)
        response.states = states

    def write_state(
        self, response: GetEntityState.Response, now: Snapshot, placed: Placed
    ) -> None:
        """Writes the state of one entity."""
        now.update()
        (motion,) = body_motions(now.model, now.data, [placed.body])
        _write_state(response.state, motion, self._offered.world_frame, now.ros_time)

    def write_info(self, response: GetEntityInfo.Response, now: Snapshot, placed: Placed) -> None:
        """Writes the category, description and tags of one entity."""
        response.info = self._book.info(now.model, placed)

    def write_bounds(
        self, response: GetEntityBounds.Response, now: Snapshot, placed: Placed
    ) -> None:
        """Writes the bounds of one entity."""
        now.update()
        fill_bounds(response.bounds, subtree_bounds(now.model, now.data, placed.body))

    def set_info(self, request: SetEntityInfo.Request) -> Future[object]:
        """Stores information about an entity. Raises ResultError for an unknown category."""
        entity = self._world.find(request.entity)
        if (category := request.info.category.category) not in _CATEGORIES:
            raise ResultError(f'category must be at most 5, got {category}', UNSUPPORTED)
        self._book.tell(entity, request.info)
        return settled()


def _write_state(state: EntityState, motion: BodyMotion, frame: str, time_s: float) -> None:
    write_header(state.header, frame, time_s)
    write_vector(state.pose.position, motion.position)
    write_quat(state.pose.orientation, motion.quat)
    write_vector(state.twist.linear, motion.linear)
    write_vector(state.twist.angular, motion.angular)
    write_vector(state.acceleration.linear, motion.linear_acceleration)
    write_vector(state.acceleration.angular, motion.angular_acceleration)
