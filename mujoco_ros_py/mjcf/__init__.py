"""MJCF as objects: read, build, edit, compose and write models, without ROS."""

from .. import requirements as _requirements  # noqa: F401  (rejects unsupported MuJoCo versions)
from .compare.difference import Difference
from .compare.search import diff
from .compose.attachment import AttachmentFrame
from .compose.overlay import apply_overlay, overlay_of
from .compose.root import RootElement
from .files.assets import Asset
from .files.export import export_with_assets, export_with_assets_as_zip
from .physics import Binding, Physics
from .places import element_of_place, get_place, set_place
from .read.models import from_file, from_path, from_xml_string
from .read.zips import from_zip
from .sources.saving import save
from .spec.conversion import from_spec
from .spec.settling import settled
from .tree import traversal as traversal_utils
from .tree.element import Element
from .tree.traversal import (
    commit_defaults,
    get_attachment_frame,
    get_frame_freejoint,
    get_frame_joints,
    get_freejoint,
)
from .write.form import SEPARATOR as PREFIX_SEPARATOR

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
    'apply_overlay',
    'commit_defaults',
    'diff',
    'element_of_place',
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
    'get_place',
    'overlay_of',
    'save',
    'set_place',
    'settled',
    'traversal_utils',
]
