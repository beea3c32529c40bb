"""The services set_entity_state and delete_entity."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

import mujoco
import numpy as np
from simulation_interfaces.srv import DeleteEntity, SetEntityState

from ...errors import ConfigError, SimulationError
from ...session import Assembly, Entity
from ...simulation import Edit
from ...simulation.edits import move_body, place_body, place_mocap, pose_in_world
from ..services.geometry_values import numbers_of, quat_of
from ..services.offered import Service
from .entity_book import placed_in
from .results import UNSUPPORTED, ResultError
from .services import StandardServices, between_loads

Array = np.ndarray[Any, np.dtype[np.float64]]
Pose = tuple[Array, Array]
"""A position and a quaternion (w, x, y, z) in the world."""
Numbers = tuple[float, ...]
INVALID_POSE = SetEntityState.Response.INVALID_POSE
_ZERO = (0.0, 0.0, 0.0)


def offer_entity_changes(offered: StandardServices) -> None:
    """Offers the services that change entities; requests wait for each other and for loads."""
    assembly = offered.assembly

    def set_state(request: SetEntityState.Request) -> Future[None]:
        change = _asked(request, offered.frame)
        set_it = partial(_set_state, request.entity, change, assembly)
        return between_loads(assembly, set_it)

    def delete(request: DeleteEntity.Request) -> Future[object]:
        return between_loads(assembly, lambda: assembly.delete_here([request.entity]))

    offered.offer(
        Service(SetEntityState, 'set_entity_state', set_state),
        Service(DeleteEntity, 'delete_entity', delete),
    )
    offered.provide('ENTITY_STATE_SETTING', 'DELETING')


@dataclass(frozen=True, slots=True)
class _Change:
    """The requested change of an entity's state."""

    frame: str
    pose: tuple[Numbers, Numbers] | None
    """Position and quaternion in the frame; None to keep the pose."""
    twist: tuple[Numbers, Numbers] | None
    """Linear and angular velocity along the axes of the frame; None to keep the velocities."""
    body_frame: Callable[[str], str]

    def pose_in_world(
        self, model: mujoco.MjModel, data: mujoco.MjData, position: Numbers, quat: Numbers
    ) -> Pose:
        """Converts a pose from the frame to the world. Raises ResultError for an invalid pose."""
        try:
            return pose_in_world(model, data, self.frame, position, quat, self.body_frame)
        except ConfigError as error:
            raise ResultError(str(error), INVALID_POSE) from error

    def placed(self, model: mujoco.MjModel, data: mujoco.MjData) -> Pose | None:
        """Returns the new pose in the world; None to keep the pose."""
        return None if self.pose is None else self.pose_in_world(model, data, *self.pose)

    def moved(self, model: mujoco.MjModel, data: mujoco.MjData) -> tuple[Array, Array] | None:
        """Returns the new velocities along the axes of the world; None to keep them."""
        if self.twist is None:
            return None
        if not np.isfinite(self.twist).all():
            raise ResultError('the twist must be finite')
        _, quat = self.pose_in_world(model, data, _ZERO, (1.0, 0.0, 0.0, 0.0))
        linear, angular = np.empty(3), np.empty(3)
        mujoco.mju_rotVecQuat(linear, np.array(self.twist[0]), quat)
        mujoco.mju_rotVecQuat(angular, np.array(self.twist[1]), quat)
        return linear, angular


def _asked(request: SetEntityState.Request, frame: Callable[[str], str]) -> _Change:
    """Returns the requested change: pose and twist, each only if its flag is set.

    Version 1 of the request has no flags and always sets both. Raises ResultError for an
    acceleration, because accelerations follow from forces.
    """
    if getattr(request, 'set_acceleration', False):
        raise ResultError(
            'accelerations follow from forces, and cannot be set: set_acceleration must be false',
            UNSUPPORTED,
        )
    state = request.state
    pose = numbers_of(state.pose.position), quat_of(state.pose.orientation)
    twist = numbers_of(state.twist.linear), numbers_of(state.twist.angular)
    return _Change(
        state.header.frame_id,
        pose if getattr(request, 'set_pose', True) else None,
        twist if getattr(request, 'set_twist', True) else None,
        frame,
    )


def _set_state(name: str, change: _Change, assembly: Assembly) -> None:
    """Sets a state, on the thread of loads, because moving a fixed entity changes the model."""
    entity, simulation = assembly.world.find(name), assembly.simulation
    fixed: list[Pose] = []
    edit = assembly.carry_out(simulation.edit(partial(_edit, entity, change, fixed)))
    if edit.refused:
        raise SimulationError('; '.join(edit.refused))
    assembly.tell(edit.lost)
    if fixed:
        position, quat = fixed[0]
        assembly.place_here(name, (position.tolist(), quat.tolist()))


def _edit(
    entity: Entity,
    change: _Change,
    fixed: list[Pose],
    model: mujoco.MjModel,
    data: mujoco.MjData,
    edit: Edit,
) -> None:
    """Sets the whole state or nothing; adds the pose of a fixed entity to `fixed`."""
    body = placed_in(model, entity).body
    pose, velocities = change.placed(model, data), change.moved(model, data)
    free = _is_free(model, body)
    if velocities is not None and not free:
        if np.any(velocities):
            raise ResultError(
                f'the entity {entity.name!r} does not move freely: its twist must be zero',
                UNSUPPORTED,
            )
        velocities = None
    mocap = int(model.body_mocapid[body])
    if pose is not None and free:
        edit.done.append(place_body(model, data, body, *pose))
    elif pose is not None and mocap >= 0:
        place_mocap(data, mocap, *pose)
        edit.done.append('mocap pose set')
    elif pose is not None:
        fixed.append(pose)
    if velocities is not None:
        linear, angular = velocities
        edit.done.append(move_body(model, data, body, linear.tolist(), angular.tolist()))


def _is_free(model: mujoco.MjModel, body: int) -> bool:
    first = int(model.body_jntadr[body])
    free = mujoco.mjtJoint.mjJNT_FREE
    return int(model.body_jntnum[body]) == 1 and model.jnt_type[first] == free
