"""Converts URDF robots to MJCF models with actuators and materials, and models to URDF."""

from ..errors import UrdfError
from ..named_files import is_urdf
from .conversion import UrdfModel
from .sources import read_urdf, read_urdf_file
from .writing import to_urdf

__all__ = ['UrdfError', 'UrdfModel', 'is_urdf', 'read_urdf', 'read_urdf_file', 'to_urdf']
