"""get_spawnables: the models that can be spawned, with the space that they need."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

import mujoco
from simulation_interfaces.msg import Spawnable
from simulation_interfaces.srv import GetSpawnables

from ...errors import MujocoRosError
from ...log_throttle import Throttle
from ...session import entity_source
from ...simulation.edits import subtree_bounds
from ..services.offered import Service
from .bounds_messages import Corners, fill_bounds
from .model_catalogue import ListedModel, listed_models
from .model_resources import path_of
from .results import OK, write_result
from .services import StandardServices

_log = logging.getLogger(__name__)


def offer_spawnables(offered: StandardServices) -> None:
    """Offers get_spawnables, which compiles the models on the thread of loads."""
    catalogue = _Catalogue(offered)

    def find(request: GetSpawnables.Request) -> Future[list[Spawnable | str]]:
        sources = list(request.sources) or offered.parameters.config.spawnables
        return offered.assembly.between_loads(partial(catalogue.find, sources))

    def write(response: GetSpawnables.Response, found: list[Spawnable | str]) -> None:
        response.spawnables = [each for each in found if not isinstance(each, str)]
        if lost := [each for each in found if isinstance(each, str)]:
            many = f'{len(lost):,} of {len(found):,} models are omitted: {lost[0]}'
            write_result(response.result, OK, many)

    offered.offer(Service(GetSpawnables, 'get_spawnables', find, write))
    offered.provide('SPAWNABLES')


class _Catalogue:
    """Compiles the models at given locations to compute their bounds."""

    def __init__(self, offered: StandardServices) -> None:
        self._offered = offered
        self._refusals = Throttle()

    def find(self, sources: Sequence[str]) -> list[Spawnable | str]:
        """Returns a Spawnable for each model, or a message on why it cannot be spawned.

        Raises ResultError if a location does not exist.
        """
        found = [model for source in sources for model in listed_models(source)]
        return [self._spawnable(model) for model in found]

    def _spawnable(self, listed: ListedModel) -> Spawnable | str:
        """Returns a Spawnable, or a message on why the model cannot be spawned."""
        try:
            corners = self._bounds(listed)
        except MujocoRosError as error:
            text = f'{listed.uri} cannot be spawned: {error}'
            line = self._refusals.line(text, error, listed.uri)
            if line is not None:
                _log.warning('%s', line)
            return text
        made = Spawnable(description=listed.description or listed.name)
        getattr(made, 'entity_resource', made).uri = listed.uri
        fill_bounds(made.spawn_bounds, corners)
        return made

    def _bounds(self, listed: ListedModel) -> Corners | None:
        source = entity_source(path_of(listed.uri), self._offered.parameters.config)
        model = self._offered.assembly.entity_model_here(source)
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        return subtree_bounds(model, data, 1)
