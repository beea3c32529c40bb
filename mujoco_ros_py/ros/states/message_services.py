"""get_state, set_state: the whole state of the simulation as a message."""

from __future__ import annotations

from array import array
from concurrent.futures import Future

from mujoco_ros_py_interfaces.srv import GetState, SetState

from ...simulation import Edit, SavedState, read_state, write_state
from ..services.geometry_values import write_stamp
from ..services.offered_services import Fill, OfferedServices, Service


def offer_messages(offered: OfferedServices) -> None:
    """Offers the services of the state as a message."""
    simulation = offered.assembly.simulation

    def get(request: GetState.Request) -> Future[SavedState]:
        return simulation.save()

    def write(response: GetState.Response, saved: SavedState) -> Edit:
        response.state.data = array('B', write_state(saved))
        write_stamp(response.state.stamp, saved.time)
        return Edit(done=[f'state of {saved.time:.9g} s'])

    def set_(request: SetState.Request) -> tuple[Future[list[str]], Fill]:
        saved = read_state(bytes(request.state.data))
        told = offered.went_on(f'state of {saved.time:.9g} s restored')
        return simulation.restore(saved, checked=True), told

    offered.offer(Service(GetState, 'get_state', get, write), Service(SetState, 'set_state', set_))
