"""Configurations as frozen, validated dataclasses, in pure Python without ROS."""

from .camera import CameraConfig, read_cameras
from .dotted_names import nested_struct, with_value
from .initial_joints import read_joint_map
from .native_plugins import check_native, read_native
from .parameter import Parameter, When, described, forget_classes, parameters_of, ranged
from .plugin_forms import check_plugins, plugin_file, read_file, read_list, read_plugins, read_text
from .plugin_groups import NO_GROUP, Group
from .plugin_registration import Entry, PluginConfig, Refusal, is_plugin_type, register
from .reader import changed, changed_live, check_ranges, read, with_live
from .server import ServerConfig
from .session import SessionConfig
from .wording import listed, unknown

__all__ = [
    'NO_GROUP',
    'CameraConfig',
    'Entry',
    'Group',
    'Parameter',
    'PluginConfig',
    'Refusal',
    'ServerConfig',
    'SessionConfig',
    'When',
    'changed',
    'changed_live',
    'check_native',
    'check_plugins',
    'check_ranges',
    'described',
    'forget_classes',
    'is_plugin_type',
    'listed',
    'nested_struct',
    'parameters_of',
    'plugin_file',
    'ranged',
    'read',
    'read_cameras',
    'read_file',
    'read_joint_map',
    'read_list',
    'read_native',
    'read_plugins',
    'read_text',
    'register',
    'unknown',
    'with_live',
    'with_value',
]
