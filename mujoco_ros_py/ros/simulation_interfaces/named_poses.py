"""get_named_poses and get_named_pose_bounds: the sites selected by the parameter `named_poses`."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from fnmatch import fnmatchcase

import mujoco
import numpy as np
from geometry_msgs.msg import Vector3
from simulation_interfaces.msg import Bounds, NamedPose
from simulation_interfaces.srv import GetNamedPoseBounds, GetNamedPoses

from ...config.wording import unknown
from ...simulation import Snapshot, given_name
from ..services.geometry_values import write_quat, write_vector
from ..services.offered import Fill, Service
from .bounds_messages import fill_bounds
from .entity_filters import check_tags, tags_pass
from .results import NOT_FOUND, ResultError
from .services import StandardServices

_SITE = mujoco.mjtObj.mjOBJ_SITE
_GEOM = mujoco.mjtGeom


def offer_named_poses(offered: StandardServices) -> None:
    """Offers the services for named poses."""

    def sites(model: mujoco.MjModel) -> dict[str, int]:
        return dict(_named(model, offered.parameters.config.named_poses))

    def poses(request: GetNamedPoses.Request) -> tuple[Future[Snapshot], Fill]:
        check_tags(request.tags)

        def write(response: GetNamedPoses.Response, now: Snapshot) -> None:
            now.update()
            if tags_pass(request.tags, ()):  # sites have no tags
                named = sites(now.model).items()
                response.poses = [_pose(now.data, name, site) for name, site in named]

        return offered.assembly.simulation.snapshot(), write

    def bounds(request: GetNamedPoseBounds.Request) -> tuple[Future[Snapshot], Fill]:
        def write(response: GetNamedPoseBounds.Response, now: Snapshot) -> None:
            known = sites(now.model)
            if request.name not in known:
                raise ResultError(unknown('named pose', request.name, known), NOT_FOUND)
            _write_bounds(response.bounds, now.model, known[request.name])

        return offered.assembly.simulation.snapshot(), write

    offered.offer(
        Service(GetNamedPoses, 'get_named_poses', poses),
        Service(GetNamedPoseBounds, 'get_named_pose_bounds', bounds),
    )
    offered.provide('NAMED_POSES', 'POSE_BOUNDS')


def _named(model: mujoco.MjModel, patterns: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Yields the names and ids of the sites whose names match a pattern."""
    for site in range(model.nsite):
        name = given_name(model, _SITE, site)
        if name and any(fnmatchcase(name, pattern) for pattern in patterns):
            yield name, site


def _pose(data: mujoco.MjData, name: str, site: int) -> NamedPose:
    made, quat = NamedPose(name=name), np.empty(4)
    mujoco.mju_mat2Quat(quat, data.site_xmat[site])
    write_vector(made.pose.position, data.site_xpos[site])
    write_quat(made.pose.orientation, quat)
    return made


def _write_bounds(bounds: Bounds, model: mujoco.MjModel, site: int) -> None:
    """Writes the size of a site, as a sphere or as its bounding box."""
    kind, (x, y, z) = _GEOM(int(model.site_type[site])), model.site_size[site]
    if kind == _GEOM.mjGEOM_SPHERE:
        bounds.type, bounds.points = Bounds.TYPE_SPHERE, [Vector3(), Vector3(x=float(x))]
        return
    halves = {_GEOM.mjGEOM_CAPSULE: (x, x, x + y), _GEOM.mjGEOM_CYLINDER: (x, x, y)}
    half = np.array(halves.get(kind, (x, y, z)))
    fill_bounds(bounds, (-half, half))
