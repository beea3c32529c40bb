"""URDF as models: reads robots of ROS as MJCF, with their frames, actuators and looks."""

from ..errors import UrdfError
from .conversion_to_mjcf import UrdfModel
from .reading import read_urdf, read_urdf_file
from .urdf_text import is_urdf

__all__ = ['UrdfError', 'UrdfModel', 'is_urdf', 'read_urdf', 'read_urdf_file']
