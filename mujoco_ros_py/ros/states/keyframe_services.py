"""list_keyframes, reset_to_keyframe: the states that the model itself has."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from mujoco_ros_py_interfaces.msg import Keyframe
from mujoco_ros_py_interfaces.srv import ListKeyframes, ResetToKeyframe

from ...simulation import Edit, keyframes
from ..services.geometry_values import write_stamp
from ..services.offered_services import Fill, OfferedServices, Service


def offer_keyframes(offered: OfferedServices) -> None:
    """Offers the services of keyframes."""
    simulation = offered.assembly.simulation

    def list_(request: ListKeyframes.Request) -> Future[dict[str, float]]:
        return offered.read(lambda model, data: keyframes(model))

    def reset(request: ResetToKeyframe.Request) -> tuple[Future[Any], Fill]:
        told = offered.went_on(f'reset to keyframe {request.name!r}')
        return simulation.reset(request.name), told

    offered.offer(
        Service(ListKeyframes, 'list_keyframes', list_, _write),
        Service(ResetToKeyframe, 'reset_to_keyframe', reset),
    )


def _write(response: ListKeyframes.Response, found: dict[str, float]) -> Edit:
    response.keyframes = [_message(name, time_s) for name, time_s in found.items()]
    return Edit(done=[f'keyframes with names: {len(found)}'])


def _message(name: str, time_s: float) -> Keyframe:
    message = Keyframe(name=name)
    write_stamp(message.stamp, time_s)
    return message
