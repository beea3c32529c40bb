"""The plugins of a load: those that are listed, and the one that makes images."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rclpy.node import Node

from ...config import Entry, PluginConfig, Refusal, read_plugins, register
from ...config.camera_config import KEY as CAMERAS
from ...engine.resources import local_path
from .plugin_search import find_plugins
from .server_parameters import Parameters

_CAMERAS = 'mujoco_ros_py/Cameras'


def registered(
    node: Node, parameters: Parameters, since: float, cameras: bool
) -> tuple[list[PluginConfig], list[Refusal]]:
    """The plugins that are listed and, if there are `cameras`, one that makes images.

    `since` and what is raised are those of `find_plugins`.
    """
    listed = find_plugins(node, parameters, since) or ''
    given = {'type': _CAMERAS, 'cameras': parameters.cameras()}
    entries = [_completed(entry, given) for entry in read_plugins(listed, local_path)]
    configs, refusals = register(entries)
    makes_images = any(config.type == _CAMERAS for config in configs)
    if cameras and not makes_images:  # last: loaded after the others
        entries.append(Entry(place=CAMERAS, struct=given, implicit=True))
        return register(entries)
    return configs, refusals


def _completed(entry: Entry, given: Mapping[str, Any]) -> Entry:
    """An entry of the type that is given has the rest of that too, where it says nothing else."""
    if isinstance(entry.struct, Mapping) and entry.struct.get('type') == given['type']:
        return replace(entry, struct={**given, **entry.struct})
    return entry
