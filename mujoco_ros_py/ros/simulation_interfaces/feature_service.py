"""get_simulator_features: what the server can do, in the version of the types that it has."""

from __future__ import annotations

from typing import Any

from simulation_interfaces.srv import GetSimulatorFeatures, SpawnEntity

from ..services.offered_services import Service, always, settled
from .standard_services import StandardServices

FORMATS = ['mjcf', 'urdf']
"""The formats of models that can be spawned."""


def is_second_version() -> bool:
    """Returns whether the types are those of version 2, which has one field for a resource."""
    return 'entity_resource' in SpawnEntity.Request.get_fields_and_field_types()


def offer_features(offered: StandardServices) -> None:
    """Offers the service; the other families tell what they provide."""

    def write(response: GetSimulatorFeatures.Response, _: Any) -> None:
        features = response.features
        features.features = sorted(offered.features)
        features.spawn_formats = FORMATS
        version = '2' if is_second_version() else '1'
        features.custom_info = f'mujoco_ros_py, with version {version} of simulation_interfaces'

    offered.offer(Service(GetSimulatorFeatures, 'get_simulator_features', settled, write, always))
