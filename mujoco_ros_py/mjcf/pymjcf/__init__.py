"""PyMJCF's names and behaviour, for code written for `dm_control.mjcf`.

To port such code, use `from mujoco_ros_py.mjcf import pymjcf as mjcf`. New code should use
`mujoco_ros_py.mjcf`, which this package builds on. The small modules here exist because ported
code imports them by PyMJCF's module names.
"""

from ... import requirements as _requirements  # noqa: F401  (rejects unsupported MuJoCo versions)

# Import MuJoCo first, which loads NumPy: loading NumPy in a deeper import takes 40 ms longer.
import mujoco as _mujoco  # noqa: F401  # isort: skip

from . import (
    attribute,
    base,
    constants,
    copier,
    debugging,
    element,
    namescope,
    parser,
    physics,
    schema,
    skin,
    traversal_utils,
)
from .attribute import Asset
from .base import Element
from .constants import PREFIX_SEPARATOR
from .element import RootElement
from .export_with_assets import export_with_assets
from .export_with_assets_as_zip import export_with_assets_as_zip
from .parser import from_file, from_path, from_xml_string, from_zip
from .physics import Physics
from .traversal_utils import (
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
    'Element',
    'Physics',
    'RootElement',
    'attribute',
    'base',
    'commit_defaults',
    'constants',
    'copier',
    'debugging',
    'element',
    'export_with_assets',
    'export_with_assets_as_zip',
    'from_file',
    'from_path',
    'from_xml_file',
    'from_xml_string',
    'from_zip',
    'get_attachment_frame',
    'get_frame_freejoint',
    'get_frame_joints',
    'get_freejoint',
    'namescope',
    'parser',
    'physics',
    'schema',
    'skin',
    'traversal_utils',
]
