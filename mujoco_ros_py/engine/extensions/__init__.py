"""Engine plugins, written in Python or loaded from libraries."""

from ..records import Capability
from .attribute import Attribute
from .carried import adopt, carried, stranded
from .contract import EnginePlugin
from .instance import Instance
from .libraries import load_directory, load_library
from .registry import classes, register

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
    'stranded',
]
