"""save_state, restore_state, list_states, delete_state: states that the server keeps by name."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from mujoco_ros_py_interfaces.msg import StateInfo
from mujoco_ros_py_interfaces.srv import DeleteState, ListStates, RestoreState, SaveState

from ...simulation import Edit, SavedState
from ..services.geometry_values import write_stamp
from ..services.offered_services import Fill, OfferedServices, Service, settled
from .kept_states import KeptStates

_BEGIN = 'begin'
"""The name of the state in which the simulation began, where that is not the start."""


def offer_named_states(offered: OfferedServices, begin: SavedState | None = None) -> None:
    """Offers the services of states that are kept by name as long as the server lives.

    The state `begin`, if there is one, is kept from the start, by that name.
    """
    simulation, kept = offered.assembly.simulation, KeptStates()
    if begin is not None:
        kept.keep(_BEGIN, begin, replace=False)

    def save(request: SaveState.Request) -> tuple[Future[SavedState], Fill]:
        name, replace = request.name, request.replace

        def keep(response: SaveState.Response, saved: SavedState) -> Edit:
            kept.keep(name, saved, replace=replace)
            write_stamp(response.stamp, saved.time)
            return Edit(done=[f'state {name!r} saved at {saved.time:.9g} s'])

        kept.check(name, replace=replace)
        return simulation.save(), keep

    def restore(request: RestoreState.Request) -> tuple[Future[list[str]], Fill]:
        saved = kept.find(request.name)
        told = f'state {request.name!r} of {saved.time:.9g} s restored'
        return simulation.restore(saved), offered.went_on(told)

    def delete(request: DeleteState.Request) -> Future[Edit]:
        kept.delete(request.name)
        return settled(Edit(done=[f'state {request.name!r} deleted']))

    def write_list(response: ListStates.Response, _: Any) -> Edit:
        response.states = [_info(name, *each) for name, each in kept.all().items()]
        return Edit(done=[f'states that are kept: {len(response.states)}'])

    offered.offer(
        Service(SaveState, 'save_state', save),
        Service(RestoreState, 'restore_state', restore),
        Service(ListStates, 'list_states', settled, write_list),
        Service(DeleteState, 'delete_state', delete),
    )


def _info(name: str, saved: SavedState, size: int) -> StateInfo:
    info = StateInfo(name=name, size=size)
    write_stamp(info.stamp, saved.time)
    return info
