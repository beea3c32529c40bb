"""MJCF as objects: read, build, edit, compose and write models. Knows nothing of ROS."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from . import traversal as traversal_utils
from .attachment import AttachmentFrame
from .difference import Difference
from .diffing import diff
from .element import Element
from .files.assets import Asset
from .files.export import export_with_assets, export_with_assets_as_zip
from .files.zipped import from_zip
from .form import SEPARATOR as PREFIX_SEPARATOR
from .mjspec.conversion import from_spec
from .physics import Binding, Physics
from .reading import from_file, from_path, from_xml_string
from .root import RootElement
from .sources.saving import save
from .traversal import (
    commit_defaults,
    get_attachment_frame,
    get_frame_freejoint,
    get_frame_joints,
    get_freejoint,
)

from_xml_file = from_path

__all__ = [
    'PREFIX_SEPARATOR',
    'Asset',
    'AttachmentFrame',
    'Binding',
    'Difference',
    'Element',
    'Physics',
    'RootElement',
    'commit_defaults',
    'diff',
    'export_with_assets',
    'export_with_assets_as_zip',
    'from_file',
    'from_path',
    'from_spec',
    'from_xml_file',
    'from_xml_string',
    'from_zip',
    'get_attachment_frame',
    'get_frame_freejoint',
    'get_frame_joints',
    'get_freejoint',
    'save',
    'traversal_utils',
]
