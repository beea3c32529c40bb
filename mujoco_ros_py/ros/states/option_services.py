"""get_options, set_options: the options of the physics, as MJCF writes them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

from mujoco_ros_py_interfaces.msg import Option as OptionMessage
from mujoco_ros_py_interfaces.srv import GetOptions, SetOptions

from ...simulation import Edit, Option, read_options, set_options
from ..services.offered_services import OfferedServices, Service


def offer_options(offered: OfferedServices) -> None:
    """Offers the services of options."""
    simulation = offered.assembly.simulation

    def get(request: GetOptions.Request) -> Future[list[Option]]:
        names = list(request.names)
        return simulation.submit(lambda model, data: read_options(model, names))

    def set_(request: SetOptions.Request) -> Future[Edit]:
        given = [Option(each.name, each.value) for each in request.options]
        return simulation.edit(lambda model, data, edit: set_options(model, given, edit))

    offered.offer(
        Service(GetOptions, 'get_options', get, _write), Service(SetOptions, 'set_options', set_)
    )


def _write(response: GetOptions.Response, found: Sequence[Option]) -> Edit:
    response.options = [OptionMessage(name=each.name, value=each.value) for each in found]
    return Edit(done=[f'options that are told: {len(found)}'])
