"""The entities of a world: those of its model, and those that are spawned while it runs."""

from .entity import Entity, Spawn
from .model_specs import check_resource
from .world import Draft, World

__all__ = ['Draft', 'Entity', 'Spawn', 'World', 'check_resource']
