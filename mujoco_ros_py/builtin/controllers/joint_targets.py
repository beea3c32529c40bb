"""Takes target positions of joints from a topic of sensor_msgs/JointState."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import mujoco

from ...errors import PluginError
from ...log_throttle import Throttle
from ...plugins import MujocoPlugin

Targets = dict[str, float]
"""Positions by the name of the joint."""
_log = logging.getLogger(__name__)


class TargetSubscription:
    """Gives the newest target of each joint that was named to the physics thread.

    `check` and `take` raise PluginError for targets that cannot be used; `check` is called on the
    plugin's thread, and `take` on the physics thread. A faulty message is logged, at most once a
    second for each reason, and is dropped as a whole.
    """

    def __init__(
        self,
        plugin: MujocoPlugin[Any],
        topic: str,
        check: Callable[[Targets], None],
        take: Callable[[Targets], None],
    ) -> None:
        from sensor_msgs.msg import JointState  # a session has no ROS

        from ...messages.topic_qos import COMMANDS

        self._plugin, self._check, self._take = plugin, check, take
        self._waiting: Targets = {}
        self._lock = threading.Lock()
        self._refusals = Throttle()
        subscription = plugin.ros.subscribe(JointState, topic, self._receive, COMMANDS)
        self.topic: str = subscription.topic_name
        """The whole name of the topic."""

    def _receive(self, message: Any) -> None:
        """Keeps the targets for the physics thread; called on the plugin's thread."""
        try:
            targets = _targets(message)
            self._check(targets)
        except PluginError as error:
            line = self._refusals.line(f'{self._plugin.name}: {error}', error)
            if line is not None:
                _log.warning('%s', line)
            return
        with self._lock:
            waits = bool(self._waiting)
            self._waiting |= targets
        if targets and not waits:
            self._plugin.environment.submit(self._give)

    def _give(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        with self._lock:
            targets, self._waiting = self._waiting, {}
        self._take(targets)


def _targets(message: Any) -> Targets:
    """Returns positions by name. Raises PluginError if names and positions do not match."""
    if len(message.name) != len(message.position):
        counts = f'{len(message.name)} names and {len(message.position)} positions'
        raise PluginError(f'a command needs one position for each name, got {counts}')
    return dict(zip(message.name, message.position, strict=True))
