"""The services for bodies, mocap bodies and gravity: poses, velocities and masses."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import mujoco
from mujoco_ros_msgs.srv import (
    GetBodyState,
    GetGravity,
    ResetBodyQPos,
    SetBodyState,
    SetGravity,
    SetMocapState,
)

from ...errors import ConfigError
from ...simulation import WORLD, Edit, Simulation
from ...simulation.edits import (
    BodyState,
    find_body,
    find_mocap,
    move_body,
    place_body,
    place_mocap,
    pose_in_world,
    put_back,
    read_body,
    set_gravity,
    twist_in_world,
    weigh_body,
)
from ..services.geometry_values import (
    numbers_of,
    quat_of,
    write_header,
    write_quat,
    write_vector,
)
from ..services.offered import OfferedServices, Service


def offer_body_services(offered: OfferedServices) -> None:
    """Offers the services of bodies."""
    simulation = offered.assembly.simulation

    def get_state(request: GetBodyState.Request) -> Future[BodyState]:
        return offered.read(lambda m, d: read_body(m, d, find_body(m, request.name)))

    def set_state(request: SetBodyState.Request) -> Future[Edit]:
        return simulation.edit(partial(_set_state, request, offered.frame))

    def reset_qpos(request: ResetBodyQPos.Request) -> Future[Edit]:
        def change(model: mujoco.MjModel, data: mujoco.MjData, edit: Edit) -> None:
            body = find_body(model, request.name)
            edit.attempt(lambda: put_back(model, data, body, still=True))

        return simulation.edit(change)

    write = partial(_write, simulation, offered.frame(WORLD))
    offered.offer(
        Service(GetBodyState, 'get_body_state', get_state, write),
        Service(SetBodyState, 'set_body_state', set_state),
        Service(ResetBodyQPos, 'reset_body_qpos', reset_qpos),
    )


def _set_state(
    request: SetBodyState.Request,
    frame: Callable[[str], str],
    model: mujoco.MjModel,
    data: mujoco.MjData,
    edit: Edit,
) -> None:
    """Makes the changes that the flags select; a refused change does not prevent the others."""
    state = request.state
    body = find_body(model, state.name)

    def place() -> str:
        at, pose = state.pose.header.frame_id, state.pose.pose
        turn = quat_of(pose.orientation)
        there = pose_in_world(model, data, at, numbers_of(pose.position), turn, frame)
        return place_body(model, data, body, *there)

    def move() -> str:
        at, twist = state.twist.header.frame_id, state.twist.twist
        given = numbers_of(twist.linear), numbers_of(twist.angular)
        linear, angular = twist_in_world(model, data, at, *given, frame)
        return move_body(model, data, body, linear.tolist(), angular.tolist())

    if request.set_mass:
        edit.attempt(lambda: weigh_body(model, data, body, state.mass, edit))
    if request.reset_qpos:
        edit.attempt(lambda: put_back(model, data, body, still=not request.set_twist))
    elif request.set_pose:
        edit.attempt(place)
    if request.set_twist:
        edit.attempt(move)


def _write(
    simulation: Simulation, world: str, response: GetBodyState.Response, state: BodyState
) -> None:
    """Writes the state of a body, in the world frame and with a ROS time stamp."""
    written: Any = response.state
    written.name, written.mass = state.name, state.mass
    for stamped in (written.pose, written.twist):
        write_header(stamped.header, world, state.time_s + simulation.ros_offset)
    write_vector(written.pose.pose.position, state.position)
    write_quat(written.pose.pose.orientation, state.quat)
    write_vector(written.twist.twist.linear, state.linear)
    write_vector(written.twist.twist.angular, state.angular)


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
    """Places all mocap bodies of a request, or raises and places no body; returns a summary."""
    names, stamped = request.mocap_state.name, request.mocap_state.pose
    if len(names) != len(stamped):
        raise ConfigError(
            f'mocap_state must have a pose for each name, got {len(names)} names and'
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
