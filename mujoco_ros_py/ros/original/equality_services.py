"""get_eq_constraint_parameters, set_eq_constraint_parameters: lists of equality constraints."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import Any

import mujoco
from mujoco_ros_msgs.msg import EqualityConstraintParameters
from mujoco_ros_msgs.srv import GetEqualityConstraintParameters, SetEqualityConstraintParameters

from ...simulation import Edit, EqualityParameters, read_equality, set_equality
from ..services.geometry_values import numbers_of, quat_of, write_quat, write_vector
from ..services.offered_services import OfferedServices, Service

_SOLIMP = 'dmin', 'dmax', 'width', 'midpoint', 'power'
_SOLREF = 'timeconst', 'dampratio'
_Found = tuple[list[EqualityParameters], Edit]


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
        Service(GetEqualityConstraintParameters, get, get_parameters, _write),
        Service(SetEqualityConstraintParameters, set_, set_parameters),
    )


def _read(names: list[str], model: mujoco.MjModel, data: mujoco.MjData) -> _Found:
    """Reads the constraints that exist, and refuses each other name."""
    found: list[EqualityParameters] = []
    edit = Edit()

    def read(name: str) -> str:
        found.append(read_equality(model, data, name))
        return f'equality constraint {name!r} read'

    for name in names:
        edit.attempt(partial(read, name))
    return found, edit


def _write(response: GetEqualityConstraintParameters.Response, result: _Found) -> Edit:
    """Writes the constraints that were found; returns which were not."""
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
