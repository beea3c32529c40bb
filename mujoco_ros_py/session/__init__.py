"""A complete simulation with its plugins, without ROS."""

from .assembly import Assembly
from .content import Plugins, entity_source, model_source, source_of
from .loader import START_TIMEOUT_S
from .model_maker import compile_with_plugins, switch_on
from .process_memory import keep_memory_of_images, keep_what_is_imported
from .session import Session
from .world import MAX_ENTITIES, Entity, Spawn, World, check_resource

__all__ = [
    'MAX_ENTITIES',
    'START_TIMEOUT_S',
    'Assembly',
    'Entity',
    'Plugins',
    'Session',
    'Spawn',
    'World',
    'check_resource',
    'compile_with_plugins',
    'entity_source',
    'keep_memory_of_images',
    'keep_what_is_imported',
    'model_source',
    'source_of',
    'switch_on',
]
