"""MJCF as objects: read, build, edit, compose and write models. Knows nothing of ROS."""

from .assets import Asset
from .element import Element
from .export import export_with_assets, export_with_assets_as_zip
from .reading import from_file, from_path, from_xml_string
from .root import RootElement
from .zipped import from_zip

from_xml_file = from_path

__all__ = [
    'Asset',
    'Element',
    'RootElement',
    'export_with_assets',
    'export_with_assets_as_zip',
    'from_file',
    'from_path',
    'from_xml_file',
    'from_xml_string',
    'from_zip',
]
