"""Collects and logs the resources that a plugin has requested but that are not available."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec

from ...config.wording import listed
from ..missing_messages import missing_messages

_log = logging.getLogger(__name__)
_NO_IMAGES = 'this simulation makes no images: render_offscreen is false'
_SERVER = 'to use ROS, start the server (mujoco_ros_py --ros-args -p modelfile:=...)'
_WITHOUT_RCLPY = f"{_SERVER} after: pip install 'mujoco_ros_py[ros]'"

Parts = dict[str, list[str]]
"""The names of missing resources by kind: `topic`, `service` and so on."""


class AbsentParts:
    """Collects the missing resources that one plugin has requested, grouped by reason."""

    def __init__(self) -> None:
        self._without_ros: Parts = {}
        self._without_package: dict[str, Parts] = {}
        self._without_images: Parts = {}

    def lacks_ros(self, what: str, name: str) -> None:
        """Records a resource that needs ROS, such as the topic `/imu`."""
        _add(self._without_ros, what, name)

    def lacks_package(self, package: str, what: str, name: str) -> None:
        """Records a resource that needs a package of messages."""
        _add(self._without_package.setdefault(package, {}), what, name)

    def lacks_images(self, camera: str) -> None:
        """Records a camera that needs rendering."""
        _add(self._without_images, 'image', camera)

    def tell(self, plugin: str) -> None:
        """Logs a line for each reason, once per plugin name and process.

        A session without ROS is a choice of the program, so the missing ROS is logged as
        information.
        """
        who = f'plugin {plugin!r}'
        if self._without_ros:
            how = _SERVER if find_spec('rclpy') else _WITHOUT_RCLPY
            _tell(logging.INFO, f'{who} runs without ROS: {_named(self._without_ros)}; {how}')
        for package, parts in self._without_package.items():
            _tell(logging.WARNING, missing_messages(package, f'{who} has {_named(parts)}'))
        if self._without_images:
            level = logging.INFO if self._without_ros else logging.WARNING
            _tell(level, f'{who} has {_named(self._without_images)}, because {_NO_IMAGES}')


def _add(parts: Parts, what: str, name: str) -> None:
    names = parts.setdefault(what, [])
    if name not in names:
        names.append(name)


def _named(parts: Mapping[str, list[str]]) -> str:
    """Formats the missing resources, such as `no topics /odom, /tf, no service /set`."""
    return ', '.join(
        f'no {what}{"s" if names[1:] else ""} {listed(names)}' for what, names in parts.items()
    )


@cache
def _tell(level: int, sentence: str) -> None:
    """Logs a line once per process: each reload and each world of a batch would repeat it."""
    _log.log(level, '%s', sentence)
