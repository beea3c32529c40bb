"""get_values, set_values, get_options and set_options: numbers and options by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any, get_args

import mujoco
from mujoco_ros_py_interfaces.msg import NamedValues
from mujoco_ros_py_interfaces.msg import Option as OptionMessage
from mujoco_ros_py_interfaces.srv import GetOptions, GetValues, SetOptions, SetValues

from ...simulation import Edit, Option, read_options
from ...simulation.edits import NamedNumbers, NumbersKind, read_numbers, set_numbers, set_options
from ..services.geometry_values import write_stamp
from ..services.offered import OfferedServices, Service

_FIELDS: Mapping[str, NumbersKind] = dict(
    zip(
        ('positions', 'velocities', 'controls', 'activations', 'mocap_poses'),
        get_args(NumbersKind),
        strict=True,
    )
)
"""The kind of numbers in each field of the messages."""
_OWNERS = {
    'positions': 'joints',
    'velocities': 'joints',
    'controls': 'actuators',
    'activations': 'actuators',
    'mocap_poses': 'mocap_bodies',
}
_Read = tuple[float, dict[str, list[NamedNumbers]]]


def offer_values(offered: OfferedServices) -> None:
    """Offers get_values and set_values."""
    simulation = offered.assembly.simulation

    def get(request: GetValues.Request) -> Future[_Read]:
        asked = {field: list(getattr(request, owner)) for field, owner in _OWNERS.items()}
        every = not any(asked.values())

        def read(model: mujoco.MjModel, data: mujoco.MjData) -> _Read:
            return float(data.time), {
                field: read_numbers(model, data, kind, None if every else asked[field])
                for field, kind in _FIELDS.items()
            }

        return offered.read(read)

    def set_(request: SetValues.Request) -> Future[Edit]:
        given = [
            NamedNumbers(kind, each.name, list(each.values))
            for field, kind in _FIELDS.items()
            for each in getattr(request, field)
        ]
        return simulation.edit(lambda model, data, edit: set_numbers(model, data, given, edit))

    offered.offer(
        Service(GetValues, 'get_values', get, _write), Service(SetValues, 'set_values', set_)
    )


def _write(response: GetValues.Response, read: _Read) -> Edit:
    time_s, found = read
    write_stamp(response.stamp, time_s)
    for field, values in found.items():
        setattr(response, field, _messages(values))
    return Edit(done=[f'values of {time_s:.9g} s'])


def _messages(values: Sequence[NamedNumbers]) -> list[Any]:
    return [NamedValues(name=each.name, values=each.numbers) for each in values]


def offer_options(offered: OfferedServices) -> None:
    """Offers get_options and set_options."""
    simulation = offered.assembly.simulation

    def get(request: GetOptions.Request) -> Future[list[Option]]:
        names = list(request.names)
        return simulation.submit(lambda model, data: read_options(model, names))

    def set_(request: SetOptions.Request) -> Future[Edit]:
        given = [Option(each.name, each.value) for each in request.options]
        return simulation.edit(lambda model, data, edit: set_options(model, given, edit))

    offered.offer(
        Service(GetOptions, 'get_options', get, _write_options),
        Service(SetOptions, 'set_options', set_),
    )


def _write_options(response: GetOptions.Response, found: Sequence[Option]) -> Edit:
    response.options = [OptionMessage(name=each.name, value=each.value) for each in found]
    return Edit(done=[f'options: {len(found)}'])
