"""MuJoCo engine plugins, written in Python or loaded from libraries."""

from ..engine_plugin_records import Capability
from .carried import adopt, carried, stranded
from .class_registry import classes, register, registered_classes, restore_classes
from .engine_plugin import EnginePlugin
from .instance import Instance
from .plugin_attribute import Attribute
from .plugin_libraries import load_directory, load_library
from .shape_inertia import shape_inertial

__all__ = [
    'Attribute',
    'Capability',
    'EnginePlugin',
    'Instance',
    'adopt',
    'carried',
    'classes',
    'load_directory',
    'load_library',
    'register',
    'registered_classes',
    'restore_classes',
    'shape_inertial',
    'stranded',
]
