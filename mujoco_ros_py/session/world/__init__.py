"""The entities of a world: bodies of its model, and bodies spawned at run time."""

from .entity import Entity, Pose, Spawn
from .reading import check_resource
from .world import MAX_ENTITIES, Draft, World

__all__ = ['MAX_ENTITIES', 'Draft', 'Entity', 'Pose', 'Spawn', 'World', 'check_resource']
