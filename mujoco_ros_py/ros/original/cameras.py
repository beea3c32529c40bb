"""get_camera_options and set_camera_options: the elements and effects that cameras show."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import mujoco
from mujoco_ros_msgs.msg import BoolOption
from mujoco_ros_msgs.srv import GetCameraOptions, SetCameraOptions

from ...config import unknown
from ...errors import ConfigError
from ...simulation import Edit
from ...simulation.rendering import GROUPS, CameraOptions, RenderLoop, camera_name
from ..services.offered import Fill, OfferedServices, Service

_MOST_NAMES = 100
"""The most elements or effects that a request may name; MuJoCo has about thirty."""


def offer_camera_services(offered: OfferedServices) -> None:
    """Offers the services of cameras."""
    rendering = offered.assembly.rendering

    def get(request: GetCameraOptions.Request) -> Future[CameraOptions]:
        return offered.read(
            lambda model, data: rendering.camera_options(_named(model, request.camera_name)[0])
        )

    def write(response: GetCameraOptions.Response, options: CameraOptions) -> None:
        told = response.camera_options
        told.render_elements = _named_flags(options.elements())
        told.render_effects = _named_flags(options.effects(rendering.image_options))
        for kind in GROUPS:
            setattr(told, f'{kind}_groups', [int(shown) for shown in options.groups(kind)])

    def change(request: SetCameraOptions.Request) -> tuple[Future[list[str]], Fill]:
        wanted = request.camera_options
        for field in ('render_elements', 'render_effects'):
            if len(named := getattr(wanted, field)) > _MOST_NAMES:
                raise ConfigError(
                    f'{field} must have at most {_MOST_NAMES} entries, got {len(named)}'
                )
        found = offered.read(lambda model, data: _named(model, request.camera_name))
        return found, partial(_change_all, rendering, wanted)

    offered.offer(
        Service(GetCameraOptions, 'get_camera_options', get, write),
        Service(SetCameraOptions, 'set_camera_options', change),
    )


def _named(model: mujoco.MjModel, name: str) -> list[str]:
    """Returns the named camera, or all cameras if the name is empty.

    Raises ConfigError if the camera is unknown or the model has no cameras.
    """
    names = [camera_name(model, camera) for camera in range(model.ncam)]
    if name in names:
        return [name]
    if name or not names:
        raise ConfigError(unknown('camera', name, names))
    return names


def _named_flags(flags: dict[str, bool]) -> list[Any]:
    return [BoolOption(name=name, active=active) for name, active in flags.items()]


def _change_all(rendering: RenderLoop, wanted: Any, response: Any, names: list[str]) -> Edit:
    """Changes the options of these cameras, off the physics thread; returns a summary."""
    edit = Edit()
    for name in names:
        _change(rendering, name, wanted, edit)
    return edit


def _change(rendering: RenderLoop, name: str, wanted: Any, edit: Edit) -> None:
    """Applies each part of a change to a camera, and records refused parts in `edit`."""
    now = rendering.camera_options(name)

    def make(what: str, change: Callable[[CameraOptions], CameraOptions]) -> str:
        nonlocal now
        now = change(now)
        return f'{what} of camera {name!r} set'

    for each in wanted.render_elements:
        change = partial(CameraOptions.with_element, name=each.name, active=each.active)
        edit.attempt(partial(make, f'element {each.name!r}', change))
    for each in wanted.render_effects:
        change = partial(CameraOptions.with_effect, name=each.name, active=each.active)
        edit.attempt(partial(make, f'effect {each.name!r}', change))
    for kind in GROUPS:
        if shown := list(getattr(wanted, f'{kind}_groups')):
            change = partial(CameraOptions.with_groups, kind=kind, shown=shown)
            edit.attempt(partial(make, f'groups of {kind}s', change))
    rendering.set_camera_options(name, now)
