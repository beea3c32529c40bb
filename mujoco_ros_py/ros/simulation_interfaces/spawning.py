"""The services spawn_entity and spawn_entities."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

from geometry_msgs.msg import PoseStamped
from simulation_interfaces.msg import SpawnResult
from simulation_interfaces.srv import SpawnEntities, SpawnEntity

from ...errors import EntityError, MujocoRosError, SpawnFault
from ...session import MAX_ENTITIES, Entity, Spawn
from ...simulation.edits import pose_in_world
from ..services.geometry_values import numbers_of, quat_of
from ..services.offered import Service
from .model_resources import Codes, fields_of, plugins_beside, source_of_resource
from .results import FAILED, INCORRECT_STATE, OK, ResultError, write_result
from .services import StandardServices, between_loads

_CODES = Codes.of(SpawnEntity.Response)
_FAULTS = {
    SpawnFault.NAME_NOT_UNIQUE: SpawnEntity.Response.NAME_NOT_UNIQUE,
    SpawnFault.NAME_INVALID: SpawnEntity.Response.NAME_INVALID,
    SpawnFault.NAMESPACE_INVALID: SpawnEntity.Response.NAMESPACE_INVALID,
    SpawnFault.INVALID_POSE: SpawnEntity.Response.INVALID_POSE,
    SpawnFault.NOT_FOUND: FAILED,
}
_Outcome = Entity | MujocoRosError


def offer_spawning(offered: StandardServices) -> None:
    """Offers the spawning services."""
    spawner = _Spawner(offered)
    failed = SpawnEntities.Response.ENTITIES_SPAWN_FAILED

    def spawn(request: SpawnEntity.Request) -> Future[Entity]:
        return between_loads(offered.assembly, partial(spawner.spawn_one, request))

    def spawn_all(request: SpawnEntities.Request) -> Future[list[_Outcome]]:
        call = partial(spawner.spawn_all, request.spawn_requests)
        return between_loads(offered.assembly, call)

    def write(response: SpawnEntity.Response, entity: Entity) -> None:
        response.entity_name = entity.name
        write_result(response.result, OK, '; '.join(entity.unkept))

    def write_all(response: SpawnEntities.Response, outcomes: list[_Outcome]) -> None:
        response.results = list(map(_result, outcomes))
        lost = [each for each in outcomes if not isinstance(each, Entity)]
        if lost:
            many = f'{len(lost):,} of {len(outcomes):,} entities were not spawned: {lost[0]}'
            raise ResultError(many, failed)

    offered.offer(
        Service(SpawnEntity, 'spawn_entity', spawn, write, codes=spawn_code),
        Service(SpawnEntities, 'spawn_entities', spawn_all, write_all),
    )
    offered.provide('SPAWNING', 'SPAWNING_RESOURCE_STRING', 'SPAWNING_ENTITIES')


def spawn_code(error: BaseException) -> int:
    """Returns the result code of a spawning error."""
    if isinstance(error, ResultError):
        return error.code
    if isinstance(error, EntityError) and error.fault in _FAULTS:
        return int(_FAULTS[error.fault])
    return _CODES.code(error)


class _Spawner:
    """Spawns the requested entities, on the thread of loads."""

    def __init__(self, offered: StandardServices) -> None:
        self._offered, self._assembly = offered, offered.assembly

    def spawn_one(self, request: SpawnEntity.Request) -> Entity:
        """Spawns one entity. If it raises MujocoRosError, nothing has changed."""
        self._require_world()
        (entity,) = self._assembly.spawn_here([self._asked(request)])
        return entity

    def spawn_all(self, requests: Sequence[SpawnEntity.Request]) -> list[_Outcome]:
        """Spawns as many entities as possible; returns each entity, or its error."""
        self._require_world()
        there = sum(entity.spawned for entity in self._assembly.world.entities)
        if there + len(requests) > MAX_ENTITIES:
            error = ResultError(
                f'a world may have at most {MAX_ENTITIES:,} spawned entities; there are {there:,},'
                f' and {len(requests):,} more were requested'
            )
            return [error] * len(requests)
        outcomes: list[Any] = [self._attempt(request) for request in requests]
        asked = [index for index, each in enumerate(outcomes) if isinstance(each, Spawn)]
        self._spawn_some(asked, outcomes)
        return outcomes

    def _attempt(self, request: SpawnEntity.Request) -> Spawn | MujocoRosError:
        try:
            return self._asked(request)
        except MujocoRosError as error:
            return error

    def _spawn_some(self, indices: list[int], outcomes: list[Any]) -> None:
        """Spawns all of these in one load; if that fails, spawns each half separately."""
        if not indices:
            return
        try:
            spawned = self._assembly.spawn_here([outcomes[index] for index in indices])
        except MujocoRosError as error:
            if len(indices) == 1:
                outcomes[indices[0]] = error
                return
            half = len(indices) // 2
            self._spawn_some(indices[:half], outcomes)
            self._spawn_some(indices[half:], outcomes)
            return
        for index, entity in zip(indices, spawned, strict=True):
            outcomes[index] = entity

    def _asked(self, request: SpawnEntity.Request) -> Spawn:
        """Returns the spawn that a request asks for.

        Raises MujocoRosError if the request is invalid.
        """
        config = self._offered.parameters.config
        source = source_of_resource(*fields_of(request, 'entity_resource'), config, _CODES)
        position, orientation = self._pose(request.initial_pose)
        return Spawn(
            source=source,
            name=request.name,
            renaming=request.allow_renaming,
            namespace=request.entity_namespace,
            position=position,
            orientation=orientation,
            plugins=plugins_beside(source),
        )

    def _pose(self, stamped: PoseStamped) -> tuple[Any, Any]:
        """Returns a pose in the world. Raises ResultError for invalid numbers or frames."""
        frame, pose = stamped.header.frame_id, stamped.pose
        place, turn = numbers_of(pose.position), quat_of(pose.orientation)
        simulation, body_frame = self._assembly.simulation, self._offered.frame
        try:
            return self._assembly.carry_out(
                simulation.submit(lambda m, d: pose_in_world(m, d, frame, place, turn, body_frame))
            )
        except MujocoRosError as error:
            raise ResultError(str(error), SpawnEntity.Response.INVALID_POSE) from error

    def _require_world(self) -> None:
        if self._assembly.unloaded:
            raise ResultError('there is no world to spawn into: load one first', INCORRECT_STATE)


def _result(outcome: _Outcome) -> SpawnResult:
    """Returns the SpawnResult of one request."""
    result = SpawnResult()
    if isinstance(outcome, Entity):
        write_result(result.result, OK, '; '.join(outcome.unkept))
        result.entity_name = outcome.name
    else:
        write_result(result.result, spawn_code(outcome), str(outcome))
    return result
