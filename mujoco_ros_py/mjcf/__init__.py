"""MJCF as objects: read, build, edit, compose and write models. Knows nothing of ROS."""

from .element import Element
from .reading import from_file, from_path, from_xml_string
from .root import RootElement

from_xml_file = from_path

__all__ = ['Element', 'RootElement', 'from_file', 'from_path', 'from_xml_file', 'from_xml_string']
