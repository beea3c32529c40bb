"""The services load_world, unload_world, get_current_world and get_available_worlds."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path

from rclpy.parameter import Parameter
from simulation_interfaces.msg import Resource, WorldResource
from simulation_interfaces.srv import (
    GetAvailableWorlds,
    GetCurrentWorld,
    LoadWorld,
    UnloadWorld,
)

from ...errors import ConfigError
from ...session import check_resource
from ...simulation import ModelSource, urdf_as_mjcf
from ..services.offered import Service, settled
from .entity_filters import check_tags, tags_pass
from .model_catalogue import ListedModel, described_file, described_text, listed_models
from .model_resources import Codes, fields_of, local_file, path_of, source_of_resource
from .results import OK, ResultError, write_result
from .services import StandardServices, between_loads

_CODES = Codes.of(LoadWorld.Response)


def offer_worlds(offered: StandardServices) -> None:
    """Offers the services of worlds."""
    worlds, assembly = _Worlds(offered), offered.assembly

    def load(request: LoadWorld.Request) -> Future[object]:
        return between_loads(assembly, partial(worlds.load, request))

    def unload(request: UnloadWorld.Request) -> Future[object]:
        return assembly.between_loads(worlds.unload)

    def write_world(response: LoadWorld.Response, _: object) -> None:
        response.world = worlds.present()

    def write_available(
        response: GetAvailableWorlds.Response, request: GetAvailableWorlds.Request
    ) -> None:
        response.worlds, left_out = worlds.available(request)
        write_result(response.result, OK, '; '.join(left_out))

    offered.offer(
        Service(LoadWorld, 'load_world', load, write_world, codes=_CODES.code),
        Service(UnloadWorld, 'unload_world', unload),
        Service(GetCurrentWorld, 'get_current_world', settled, write_world),
        Service(GetAvailableWorlds, 'get_available_worlds', settled, write_available),
    )
    offered.provide(
        'WORLD_LOADING', 'WORLD_RESOURCE_STRING', 'WORLD_TAGS', 'WORLD_UNLOADING',
        'WORLD_INFO_GETTING', 'AVAILABLE_WORLDS',
    )  # fmt: skip


class _Worlds:
    """Loads worlds through the parameters that a reload reads, and describes worlds."""

    def __init__(self, offered: StandardServices) -> None:
        self._offered, self._assembly = offered, offered.assembly
        self._asked = ('', '')
        """The path and URI of the latest requested load. Responses repeat the URI that the client
        gave, because one path can have several URIs."""

    def load(self, request: LoadWorld.Request) -> None:
        """Replaces the world, and pauses the new world at its start.

        Raises MujocoRosError if the world cannot be loaded; the old world then keeps running.
        """
        uri, text = fields_of(request, 'world_resource')
        path = path_of(uri)
        if not uri.startswith('python:'):  # the model exists only once the load calls its function
            source = source_of_resource(uri, text, self._offered.parameters.config, _CODES)
            check_resource(source)
            if request.fail_on_unsupported_element:
                _check_elements(source)
        try:
            self._assembly.load_here(partial(self._prepare, path, '' if uri else text))
        except ConfigError as error:  # another parameter is invalid
            raise ResultError(str(error)) from error
        self._asked = path, uri

    def _prepare(self, file: str, text: str) -> Callable[[], None]:
        """Pauses the simulation, and sets the model of the next load.

        Returns a function that undoes both.
        """
        assembly, simulation = self._assembly, self._assembly.simulation
        was_paused, before = simulation.paused, self._name_model(file, text)

        def take_back() -> None:
            self._name_model(*before)
            assembly.carry_out(simulation.set_paused(was_paused))

        assembly.carry_out(simulation.set_paused(True))
        return take_back

    def unload(self) -> None:
        """Changes to an empty world. Raises ResultError if no world is loaded."""
        if self._assembly.unloaded:
            raise ResultError('no world is loaded', UnloadWorld.Response.NO_WORLD_LOADED)
        self._assembly.carry_out(self._assembly.simulation.set_paused(True))
        self._assembly.unload_here()

    def present(self) -> WorldResource:
        """Returns the loaded world. Raises ResultError if no world is loaded."""
        status = self._assembly.simulation.status()
        if self._assembly.unloaded or not status.loads:
            raise ResultError('no world is loaded', GetCurrentWorld.Response.NO_WORLD_LOADED)
        listed, text = _told(self._assembly.world.source)
        path, uri = self._asked
        return _world(replace(listed, uri=uri) if listed.uri == path else listed, text)

    def available(
        self, request: GetAvailableWorlds.Request
    ) -> tuple[list[WorldResource], list[str]]:
        """Returns the available worlds that pass the filter, and messages about skipped locations.

        Raises ResultError if a location is unreadable and the request does not continue on errors.
        """
        check_tags(request.filter)
        found: list[ListedModel] = []
        left_out: list[str] = []
        for source, code in (
            *((each, 101) for each in self._offered.parameters.config.worlds),
            *((each, 0) for each in request.additional_sources),
        ):
            try:
                found += listed_models(source, offline_only=request.offline_only)
            except ResultError as error:
                if not request.continue_on_error:
                    raise ResultError(str(error), code or error.code) from error
                left_out.append(f'skipped: {error}')
        passed = [_world(each) for each in found if tags_pass(request.filter, each.tags)]
        return passed, left_out

    def _name_model(self, file: str, text: str) -> tuple[str, str]:
        """Sets the model that the next loads read; returns the previous file and text."""
        config = self._offered.parameters.config
        values = {'modelfile': file, 'mujoco_xml': text}
        parameters = [Parameter(name, value=value) for name, value in values.items()]
        result = self._offered.keeper.node.set_parameters_atomically(parameters)
        if not result.successful:
            raise ConfigError(result.reason)
        return config.modelfile, config.mujoco_xml


def _told(source: ModelSource) -> tuple[ListedModel, str]:
    """Returns the description of the current world, and its text if it was loaded from text."""
    if source.xml:
        uri = source.origin if source.origin.startswith('python:') else ''
        told = described_text(uri, source.xml.encode(errors='replace'), 'world')
        return told or ListedModel(uri, 'world'), '' if uri else source.xml
    name = Path(source.path).stem or 'empty'
    file = local_file(source.path)
    told = described_file(source.path, file) if file is not None and file.is_file() else None
    return told or ListedModel(source.path, name), ''


def _world(listed: ListedModel, text: str = '') -> WorldResource:
    resource = Resource(uri=listed.uri, resource_string=text)
    return WorldResource(
        name=listed.name, world_resource=resource, description=listed.description,
        tags=list(listed.tags),
    )  # fmt: skip


def _check_elements(source: ModelSource) -> None:
    """Raises ResultError for a URDF with parts that cannot be converted to MJCF."""
    content = source.xml.encode(errors='replace')
    file = local_file(source.path)
    if not content and file is not None:
        content = file.read_bytes()
    told = described_text('', content, '')
    if told is None or b'<robot' not in content:
        return
    left_out: list[str] = []
    urdf_as_mjcf(content, str(file.parent if file else ''), source.name, source.assets, left_out)
    if left_out:
        raise ResultError(
            f'{source.name}: the model lacks parts of the URDF: {"; ".join(left_out)}',
            LoadWorld.Response.UNSUPPORTED_ELEMENTS,
        )
