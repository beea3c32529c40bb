"""Gives the newest message of a topic to a function on the physics thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import mujoco

from ...plugins import MujocoPlugin

Read = Callable[[Any, Any, Any, Any], None]
"""A function of the plugin's state, the model, the data and a message."""


class CommandSubscription:
    """Calls `read(state, model, data, message)` between two steps with the newest message.

    Messages that come faster than steps are made replace each other.
    """

    def __init__(self, plugin: MujocoPlugin[Any], kind: Any, topic: str, read: Read) -> None:
        self._plugin, self._read = plugin, read
        self._newest: Any = None
        self._lock = threading.Lock()
        subscription = plugin.ros.subscribe(kind, topic, self._take)
        self.topic: str = subscription.topic_name
        """The whole name of the topic."""

    def _take(self, message: Any) -> None:
        """Keeps a message for the physics thread; called on the plugin's thread."""
        with self._lock:
            waits, self._newest = self._newest is not None, message
        if not waits:
            self._plugin.environment.submit(self._give)

    def _give(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        with self._lock:
            message, self._newest = self._newest, None
        self._read(self._plugin.state, model, data, message)
