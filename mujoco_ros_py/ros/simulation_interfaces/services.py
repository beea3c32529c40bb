"""Offers standard services: their names, the features of the server, and their results."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from simulation_interfaces.msg import SimulatorFeatures
from simulation_interfaces.srv import GetSimulatorFeatures, SpawnEntity

from ...errors import MujocoRosError
from ...session import Assembly
from ...simulation import WORLD
from ..entities.node_keeper import NodeKeeper
from ..services.offered import OfferedServices, Service, Told, always, settled
from .results import OK, ResultError, code_of


def between_loads(assembly: Assembly, function: Callable[[], Any]) -> Future[Any]:
    """Calls a function on the thread of loads, never during a load.

    The response also lists what was lost, such as plugins that could not be loaded again.
    """

    def call() -> Told:
        sentences: list[str] = []
        assembly.told = sentences
        try:
            return Told(function(), sentences, assembly.simulation.status().failure)
        finally:
            assembly.told = None

    return assembly.between_loads(call)


@dataclass(frozen=True, slots=True)
class StandardServices(OfferedServices):
    """The parts of the server that the services use, and the features that they provide."""

    keeper: NodeKeeper
    features: set[int] = field(default_factory=set)
    """The numbers of the server's features."""

    @classmethod
    def of(cls, parts: OfferedServices, keeper: NodeKeeper) -> StandardServices:
        """Creates an object that offers standard services with these parts of the server."""
        return cls(parts.node, parts.services, parts.assembly, parts.parameters, keeper)

    def names(self, name: str) -> list[str]:
        """Returns the full names: below the node, and with `root_services` in its namespace."""
        relative = [f'~/{name}', *([name] if self.parameters.config.root_services else [])]
        return [self.node.resolve_service_name(each) for each in relative]

    def require(self, what: str, name: str, offered: str | None = None) -> None:
        """Raises ResultError if the request lacks a permission that it needs."""
        try:
            self.parameters.authorization.require(what, name, offered)
        except MujocoRosError as error:
            raise ResultError(str(error)) from error

    def code(self, service: Service, error: BaseException | None) -> int:
        """Returns the result code of a call with this error."""
        if error is None:
            return int(OK)
        if isinstance(error, ResultError):
            return error.code
        return (service.codes or code_of)(error)

    def provide(self, *features: str) -> None:
        """Registers features of the server whose names are constants of SimulatorFeatures."""
        numbers = (getattr(SimulatorFeatures, feature, None) for feature in features)
        self.features.update(number for number in numbers if number is not None)

    @property
    def world_frame(self) -> str:
        """The TF frame of the world."""
        return self.frame(WORLD)


FORMATS = ['mjcf', 'urdf']
"""The formats of models that can be spawned."""


def is_second_version() -> bool:
    """Returns whether the installed types are version 2, which has one field for a resource."""
    return 'entity_resource' in SpawnEntity.Request.get_fields_and_field_types()


def offer_features(offered: StandardServices) -> None:
    """Offers get_simulator_features, after the other modules have registered their features."""

    def write(response: GetSimulatorFeatures.Response, _: object) -> None:
        features = response.features
        features.features = sorted(offered.features)
        features.spawn_formats = FORMATS
        version = '2' if is_second_version() else '1'
        features.custom_info = f'mujoco_ros_py, with version {version} of simulation_interfaces'

    offered.offer(Service(GetSimulatorFeatures, 'get_simulator_features', settled, write, always))
