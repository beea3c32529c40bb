"""A whole simulation with its plugins, without ROS: from the source of its model to its end."""

from .assembly import PATIENCE_S, Assembly
from .content import Content, Plugins
from .memory import keep_memory_of_images, keep_what_is_imported
from .session import Session
from .source import model_source

__all__ = [
    'PATIENCE_S',
    'Assembly',
    'Content',
    'Plugins',
    'Session',
    'keep_memory_of_images',
    'keep_what_is_imported',
    'model_source',
]
