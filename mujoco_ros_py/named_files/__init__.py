"""Finds the files that models name, and those that no model may name.

Nothing in this room imports MuJoCo or ROS.
"""

from .foreign_names import foreign_name_in, foreign_name_rule
from .other_xml import other_xml_named_in
from .special_files import special_file_at, special_file_named_in
from .urdf_root import is_urdf

__all__ = [
    'foreign_name_in',
    'foreign_name_rule',
    'is_urdf',
    'other_xml_named_in',
    'special_file_at',
    'special_file_named_in',
]
