"""MJCF as objects: read, build, edit, compose and write models. Knows nothing of ROS."""

from .attachment import AttachmentFrame
from .element import Element
from .form import SEPARATOR as PREFIX_SEPARATOR
from .reading import from_file, from_path, from_xml_string
from .root import RootElement
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
    'AttachmentFrame',
    'Element',
    'RootElement',
    'commit_defaults',
    'from_file',
    'from_path',
    'from_xml_file',
    'from_xml_string',
    'get_attachment_frame',
    'get_frame_freejoint',
    'get_frame_joints',
    'get_freejoint',
]
