"""Services for states: named states, states as messages, and the keyframes of the model."""

from __future__ import annotations

from array import array
from concurrent.futures import Future
from typing import Any

from mujoco_ros_py_interfaces.msg import Keyframe, StateInfo
from mujoco_ros_py_interfaces.srv import (
    DeleteState,
    GetState,
    ListKeyframes,
    ListStates,
    ResetToKeyframe,
    RestoreState,
    SaveState,
    SetState,
)

from ...simulation import Edit, SavedState, keyframes, read_state, write_state
from ..services.geometry_values import write_stamp
from ..services.offered import Fill, OfferedServices, Service, settled
from .kept_states import KeptStates

_BEGIN = 'begin'
"""The name of the kept state that the server was started from."""


def offer_named_states(offered: OfferedServices, begin: SavedState | None = None) -> None:
    """Offers the services for named states, which are kept until the server exits.

    The state `begin`, if given, is kept under the name `begin`.
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
        told = f'state {request.name!r} saved at {saved.time:.9g} s restored'
        return simulation.restore(saved), offered.went_on(told)

    def delete(request: DeleteState.Request) -> Future[Edit]:
        kept.delete(request.name)
        return settled(Edit(done=[f'state {request.name!r} deleted']))

    def write_list(response: ListStates.Response, _: Any) -> Edit:
        response.states = [_info(name, *each) for name, each in kept.all().items()]
        return Edit(done=[f'kept states: {len(response.states)}'])

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


def offer_keyframes(offered: OfferedServices) -> None:
    """Offers the services for keyframes."""
    simulation = offered.assembly.simulation

    def list_(request: ListKeyframes.Request) -> Future[dict[str, float]]:
        return offered.read(lambda model, data: keyframes(model))

    def reset(request: ResetToKeyframe.Request) -> tuple[Future[Any], Fill]:
        told = offered.went_on(f'reset to keyframe {request.name!r}')
        return simulation.reset(request.name), told

    offered.offer(
        Service(ListKeyframes, 'list_keyframes', list_, _write_keyframes),
        Service(ResetToKeyframe, 'reset_to_keyframe', reset),
    )


def _write_keyframes(response: ListKeyframes.Response, found: dict[str, float]) -> Edit:
    response.keyframes = [_message(name, time_s) for name, time_s in found.items()]
    return Edit(done=[f'named keyframes: {len(found)}'])


def _message(name: str, time_s: float) -> Keyframe:
    message = Keyframe(name=name)
    write_stamp(message.stamp, time_s)
    return message


def offer_messages(offered: OfferedServices) -> None:
    """Offers get_state and set_state, which transfer the state as a message."""
    simulation = offered.assembly.simulation

    def get(request: GetState.Request) -> Future[SavedState]:
        return simulation.save()

    def write(response: GetState.Response, saved: SavedState) -> Edit:
        response.state.data = array('B', write_state(saved))
        write_stamp(response.state.stamp, saved.time)
        return Edit(done=[f'state of {saved.time:.9g} s'])

    def set_(request: SetState.Request) -> tuple[Future[list[str]], Fill]:
        saved = read_state(bytes(request.state.data))
        told = offered.went_on(f'state saved at {saved.time:.9g} s restored')
        return simulation.restore(saved, checked=True), told

    offered.offer(Service(GetState, 'get_state', get, write), Service(SetState, 'set_state', set_))
