"""The callback group of nodes on which plugins create and destroy entities."""

from __future__ import annotations

from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup

from ..rclpy_internals import add_until_destroyed


class ForgettingCallbackGroup(MutuallyExclusiveCallbackGroup):
    """A callback group that drops destroyed entities.

    The groups of rclpy keep a reference to every entity they ever had, so a node would grow with
    every reload.
    """

    def add_entity(self, entity: Any) -> None:
        """Adds an entity; the group drops it when its last reference is gone."""
        add_until_destroyed(self, entity)
