"""The entities of a world: those of its model, and those that are spawned while it runs."""

from .entity import Entity, Pose, Spawn
from .world import MAX_ENTITIES, Draft, World
from .world_models import check_resource

__all__ = ['MAX_ENTITIES', 'Draft', 'Entity', 'Pose', 'Spawn', 'World', 'check_resource']
