"""get_entities, get_entities_states, get_entity_state, _info and _bounds, and set_entity_info."""

from __future__ import annotations

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

from ...simulation import BodyMotion, Snapshot, body_motions, subtree_bounds
from ..services.geometry_values import write_header, write_quat, write_vector
from .bounds_messages import fill_bounds
from .entity_book import EntityBook, Placed, entities_in, placed_in
from .entity_filters import EntityFilter
from .results import UNSUPPORTED, ResultError
from .standard_services import StandardServices, joined, settled

_CATEGORIES = range(6)


def offer_entity_queries(offered: StandardServices, book: EntityBook) -> None:
    """Offers the services that tell of entities."""
    asked = _Queries(offered, book)
    offered.offer(GetEntities, 'get_entities', asked.filtered, asked.write_names)
    offered.offer(GetEntitiesStates, 'get_entities_states', asked.filtered, asked.write_states)
    offered.offer(GetEntityState, 'get_entity_state', asked.one, asked.write_state)
    offered.offer(GetEntityInfo, 'get_entity_info', asked.one, asked.write_info)
    offered.offer(GetEntityBounds, 'get_entity_bounds', asked.one, asked.write_bounds)
    offered.offer(SetEntityInfo, 'set_entity_info', asked.set_info)
    offered.provide(
        'ENTITY_TAGS', 'ENTITY_BOUNDS', 'ENTITY_BOUNDS_BOX', 'ENTITY_BOUNDS_CONVEX',
        'ENTITY_CATEGORIES', 'ENTITY_STATE_GETTING', 'ENTITY_INFO_GETTING', 'ENTITY_INFO_SETTING',
    )  # fmt: skip


class _Queries:
    """Finds entities, and writes what is asked of them, by a copy of the data."""

    def __init__(self, offered: StandardServices, book: EntityBook) -> None:
        self._offered, self._book = offered, book
        self._world = offered.assembly.world

    def filtered(self, request: Any) -> Future[tuple[Snapshot, EntityFilter]]:
        """Returns the filter of a request, with the moment that it is asked for."""
        asked = EntityFilter(request.filters, self._book)
        return joined(self._moment(), lambda found: (found, asked))

    def one(self, request: Any) -> Future[tuple[Snapshot, Placed]]:
        """Returns the entity of a request, with the moment that it is asked for."""
        entity = self._world.find(request.entity)
        return joined(self._moment(), lambda found: (found, placed_in(found.model, entity)))

    def write_names(self, response: Any, found: tuple[Snapshot, EntityFilter]) -> None:
        """Writes the names of the entities that pass the filter."""
        response.entities = [each.entity.name for each in self._passed(found)]

    def write_states(self, response: Any, found: tuple[Snapshot, EntityFilter]) -> None:
        """Writes names and states of the entities that pass the filter."""
        moment, passed = found[0], self._passed(found)
        motions = body_motions(moment.model, moment.data, [each.body for each in passed])
        response.entities = [each.entity.name for each in passed]
        states = [EntityState() for _ in motions]
        for state, motion in zip(states, motions, strict=True):
            _write_state(state, motion, self._offered.world_frame, moment.ros_time)
        response.states = states

    def write_state(self, response: Any, found: tuple[Snapshot, Placed]) -> None:
        """Writes the state of one entity."""
        moment, placed = found
        moment.update()
        (motion,) = body_motions(moment.model, moment.data, [placed.body])
        _write_state(response.state, motion, self._offered.world_frame, moment.ros_time)

    def write_info(self, response: Any, found: tuple[Snapshot, Placed]) -> None:
        """Writes category, description and tags of one entity."""
        moment, placed = found
        response.info = self._book.info(moment.model, placed)

    def write_bounds(self, response: Any, found: tuple[Snapshot, Placed]) -> None:
        """Writes the bounds of one entity."""
        moment, placed = found
        moment.update()
        fill_bounds(response.bounds, subtree_bounds(moment.model, moment.data, placed.body))

    def set_info(self, request: SetEntityInfo.Request) -> Future[Any]:
        """Keeps what is told of an entity. Raises ResultError for an unknown category."""
        entity = self._world.find(request.entity)
        if (category := request.info.category.category) not in _CATEGORIES:
            raise ResultError(f'category must be at most 5, got {category}', UNSUPPORTED)
        self._book.tell(entity, request.info)
        return settled(request)

    def _moment(self) -> Future[Snapshot]:
        return self._offered.assembly.simulation.snapshot()

    def _passed(self, found: tuple[Snapshot, EntityFilter]) -> list[Placed]:
        """Returns the entities that pass a filter."""
        moment, asked = found
        moment.update()
        there = entities_in(self._world, moment.model)
        return asked.passed(moment.model, moment.data, there)


def _write_state(state: Any, motion: BodyMotion, frame: str, time_s: float) -> None:
    write_header(state.header, frame, time_s)
    write_vector(state.pose.position, motion.position)
    write_quat(state.pose.orientation, motion.quat)
    write_vector(state.twist.linear, motion.linear)
    write_vector(state.twist.angular, motion.angular)
    write_vector(state.acceleration.linear, motion.linear_acceleration)
    write_vector(state.acceleration.angular, motion.angular_acceleration)
