"""A whole simulation with its plugins, without ROS: from the source of its model to its end."""

from .assembly import PATIENCE_S, Assembly
from .configured_model import model_source
from .process_memory import keep_memory_of_images, keep_what_is_imported
from .session import Session
from .session_content import Content, Plugins

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
