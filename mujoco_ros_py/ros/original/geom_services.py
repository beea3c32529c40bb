"""get_geom_properties, set_geom_properties: type, size and friction of a geom, and its mass."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import Any

import mujoco
from mujoco_ros_msgs.srv import GetGeomProperties, SetGeomProperties

from ...simulation import (
    Edit,
    GeomProperties,
    find_element,
    read_geom,
    rub_geom,
    shape_geom,
    weigh_body,
)
from ..services.offered_services import OfferedServices, Service

_SIZES = 'size_0', 'size_1', 'size_2'
_FRICTIONS = 'friction_slide', 'friction_spin', 'friction_roll'


def offer_geom_services(offered: OfferedServices) -> None:
    """Offers the services of geoms."""
    simulation = offered.assembly.simulation

    def get_properties(
        request: GetGeomProperties.Request,
    ) -> Future[tuple[str, GeomProperties]]:
        name = request.geom_name
        return offered.read(lambda m, d: (name, read_geom(m, _geom(m, name))))

    def set_properties(request: SetGeomProperties.Request) -> Future[Edit]:
        return simulation.edit(partial(_set_properties, request))

    offered.offer(
        Service(GetGeomProperties, 'get_geom_properties', get_properties, _write),
        Service(SetGeomProperties, 'set_geom_properties', set_properties),
    )


def _set_properties(
    request: SetGeomProperties.Request, model: mujoco.MjModel, data: mujoco.MjData, edit: Edit
) -> None:
    """Sets each part that the flags ask for; one that is refused keeps no other from being set."""
    given = request.properties
    geom = _geom(model, given.name)
    kind = given.type.value if request.set_type else None
    size = [getattr(given, name) for name in _SIZES] if request.set_size else None
    friction = [getattr(given, name) for name in _FRICTIONS]
    if request.set_mass:
        body = int(model.geom_bodyid[geom])
        edit.attempt(lambda: weigh_body(model, data, body, given.body_mass, edit))
    if request.set_friction:
        edit.attempt(lambda: rub_geom(model, geom, friction, edit))
    if request.set_type or request.set_size:
        edit.attempt(lambda: shape_geom(model, geom, kind, size, edit))


def _geom(model: mujoco.MjModel, name: str) -> int:
    return find_element(model, mujoco.mjtObj.mjOBJ_GEOM, 'geom', name)


def _write(response: GetGeomProperties.Response, result: tuple[str, GeomProperties]) -> None:
    """Writes the properties of a geom."""
    name, found = result
    written: Any = response.properties
    written.name, written.type.value, written.body_mass = name, found.type, found.body_mass
    for names, values in ((_SIZES, found.size), (_FRICTIONS, found.friction)):
        for field, value in zip(names, values, strict=True):
            setattr(written, field, float(value))
