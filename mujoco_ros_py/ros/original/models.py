"""The services for geoms and equality constraints: values of the running model."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import Any

import mujoco
from mujoco_ros_msgs.msg import EqualityConstraintParameters
from mujoco_ros_msgs.srv import (
    GetEqualityConstraintParameters,
    GetGeomProperties,
    SetEqualityConstraintParameters,
    SetGeomProperties,
)

from ...simulation import Edit
from ...simulation.edits import (
    EqualityParameters,
    GeomProperties,
    find_element,
    read_equality,
    read_geom,
    rub_geom,
    set_equality,
    shape_geom,
    weigh_body,
)
from ..services.geometry_values import numbers_of, quat_of, write_quat, write_vector
from ..services.offered import OfferedServices, Service

_SIZES = 'size_0', 'size_1', 'size_2'
_FRICTIONS = 'friction_slide', 'friction_spin', 'friction_roll'
_SOLIMP = 'dmin', 'dmax', 'width', 'midpoint', 'power'
_SOLREF = 'timeconst', 'dampratio'
_Found = tuple[list[EqualityParameters], Edit]


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
        Service(GetGeomProperties, 'get_geom_properties', get_properties, _write_geom),
        Service(SetGeomProperties, 'set_geom_properties', set_properties),
    )


def _set_properties(
    request: SetGeomProperties.Request, model: mujoco.MjModel, data: mujoco.MjData, edit: Edit
) -> None:
    """Makes the changes that the flags select; a refused change does not prevent the others."""
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


def _write_geom(response: GetGeomProperties.Response, result: tuple[str, GeomProperties]) -> None:
    """Writes the properties of a geom."""
    name, found = result
    written: Any = response.properties
    written.name, written.type.value, written.body_mass = name, found.type, found.body_mass
    for names, values in ((_SIZES, found.size), (_FRICTIONS, found.friction)):
        for field, value in zip(names, values, strict=True):
            setattr(written, field, float(value))


def offer_equality_services(offered: OfferedServices) -> None:
    """Offers the services of equality constraints."""
    simulation = offered.assembly.simulation

    def get_parameters(request: GetEqualityConstraintParameters.Request) -> Future[_Found]:
        return offered.read(partial(_read, request.names))

    def set_parameters(request: SetEqualityConstraintParameters.Request) -> Future[Edit]:
        def change(model: mujoco.MjModel, data: mujoco.MjData, edit: Edit) -> None:
            for each in map(_parameters, request.parameters):
                edit.attempt(partial(set_equality, model, data, each, edit))

        return simulation.edit(change)

    get, set_ = 'get_eq_constraint_parameters', 'set_eq_constraint_parameters'
    offered.offer(
        Service(GetEqualityConstraintParameters, get, get_parameters, _write_equalities),
        Service(SetEqualityConstraintParameters, set_, set_parameters),
    )


def _read(names: list[str], model: mujoco.MjModel, data: mujoco.MjData) -> _Found:
    """Reads the constraints that exist, and refuses all other names."""
    found: list[EqualityParameters] = []
    edit = Edit()

    def read(name: str) -> str:
        found.append(read_equality(model, data, name))
        return f'equality constraint {name!r} read'

    for name in names:
        edit.attempt(partial(read, name))
    return found, edit


def _write_equalities(response: GetEqualityConstraintParameters.Response, result: _Found) -> Edit:
    """Writes the constraints that were found; returns the refused names."""
    found, edit = result
    response.parameters = [_message(each) for each in found]
    return edit


def _parameters(message: EqualityConstraintParameters) -> EqualityParameters:
    solver = message.solver_parameters
    return EqualityParameters(
        name=message.name,
        type=message.type.value,
        active=message.active,
        elements=(message.element1, message.element2),
        solimp=[getattr(solver, name) for name in _SOLIMP],
        solref=[getattr(solver, name) for name in _SOLREF],
        anchor=numbers_of(message.anchor),
        relative_position=numbers_of(message.relpose.position),
        relative_quat=quat_of(message.relpose.orientation),
        torquescale=message.torquescale,
        polycoef=list(message.polycoef),
    )


def _message(found: EqualityParameters) -> EqualityConstraintParameters:
    made: Any = EqualityConstraintParameters()
    made.name, made.type.value, made.active = found.name, found.type, found.active
    made.element1, made.element2 = found.elements
    for names, values in ((_SOLIMP, found.solimp), (_SOLREF, found.solref)):
        for name, value in zip(names, values, strict=True):
            setattr(made.solver_parameters, name, float(value))
    write_vector(made.anchor, found.anchor)
    write_vector(made.relpose.position, found.relative_position)
    write_quat(made.relpose.orientation, found.relative_quat)
    made.torquescale, made.polycoef = found.torquescale, list(map(float, found.polycoef))
    return made
