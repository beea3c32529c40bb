"""get_gravity, set_gravity, set_mocap_state: what surrounds the robot."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import Any

import mujoco
from mujoco_ros_msgs.srv import GetGravity, SetGravity, SetMocapState

from ...errors import ConfigError
from ...simulation import Edit, find_mocap, place_mocap, pose_in_world, set_gravity
from ..services.geometry_values import numbers_of, quat_of
from ..services.offered_services import OfferedServices, Service


def offer_world_services(offered: OfferedServices) -> None:
    """Offers the services of gravity and of mocap bodies."""
    simulation = offered.assembly.simulation

    def get(request: GetGravity.Request) -> Future[Any]:
        return offered.read(lambda model, data: model.opt.gravity.copy())

    def change_gravity(request: SetGravity.Request) -> Future[Edit]:
        return simulation.edit(
            lambda m, d, edit: edit.attempt(partial(set_gravity, m, request.gravity, edit))
        )

    def place(request: SetMocapState.Request) -> Future[Edit]:
        return simulation.edit(
            lambda m, d, edit: edit.attempt(partial(_place_mocaps, offered, request, m, d))
        )

    def write(response: GetGravity.Response, gravity: Any) -> None:
        response.gravity = gravity

    offered.offer(
        Service(GetGravity, 'get_gravity', get, write),
        Service(SetGravity, 'set_gravity', change_gravity),
        Service(SetMocapState, 'set_mocap_state', place),
    )


def _place_mocaps(
    offered: OfferedServices,
    request: SetMocapState.Request,
    model: mujoco.MjModel,
    data: mujoco.MjData,
) -> str:
    """Places all mocap bodies of a request, or none of them; returns what was done."""
    names, stamped = request.mocap_state.name, request.mocap_state.pose
    if len(names) != len(stamped):
        raise ConfigError(
            f'mocap_state must have a pose for each name, has {len(names)} names and'
            f' {len(stamped)} poses'
        )
    mocaps = [find_mocap(model, name) for name in names]
    poses = [
        pose_in_world(
            model,
            data,
            each.header.frame_id,
            numbers_of(each.pose.position),
            quat_of(each.pose.orientation),
            offered.frame,
        )
        for each in stamped
    ]
    for mocap, pose in zip(mocaps, poses, strict=True):
        place_mocap(data, mocap, *pose)
    return f'mocap bodies placed: {", ".join(names) or "none"}'
