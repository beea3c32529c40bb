"""The callback group of nodes on which plugins' entities come and go."""

from __future__ import annotations

from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup

from ..rclpy_internals import add_until_destroyed


class ForgettingCallbackGroup(MutuallyExclusiveCallbackGroup):
    """A group that forgets the entities that are destroyed.

    The groups of rclpy keep a reference to each entity that they have ever had, so that a node
    would grow with every reload.
    """

    def add_entity(self, entity: Any) -> None:
        """Adds an entity until nobody holds it any more."""
        add_until_destroyed(self, entity)
