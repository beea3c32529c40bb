"""Plugins of the server: their contract, where they are found, and the host that runs them."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from ..config import ranged
from ..engine import HiddenGeoms, Memory, inlined, model_at, numbers_at, separate, set_length
from ..simulation import ModelChange
from .absent_parts import AbsentParts
from .commands import actuator_owners, give_command
from .contract import CompiledCallback, MujocoPlugin, compiled, new_state
from .environment import Environment
from .hosted_plugin import HostedPlugin
from .message_functions import same_text, set_stamp
from .missing_messages import missing_messages, warn_of_missing_messages
from .mixins import Adaptable, Commandable, Reconfigurable, Savable, Stoppable
from .plugin_host import PluginHost
from .plugin_readiness import PluginReadiness
from .plugin_state import PluginState
from .reading import (
    Reading,
    check_rate,
    compiled_fill,
    compiled_function,
    derived_of,
    refuse_compiled,
    stamp_of,
)
from .ros_connection import NoRos, RosConnection
from .ros_interface import Ros
from .ros_types import MissingType, missing_package, ros_type
from .session_parts import SessionParts
from .unconnected_ros import UnconnectedRos

__all__ = [
    'AbsentParts',
    'Adaptable',
    'Commandable',
    'CompiledCallback',
    'Environment',
    'HiddenGeoms',
    'HostedPlugin',
    'Memory',
    'MissingType',
    'ModelChange',
    'MujocoPlugin',
    'NoRos',
    'PluginHost',
    'PluginReadiness',
    'PluginState',
    'Reading',
    'Reconfigurable',
    'Ros',
    'RosConnection',
    'Savable',
    'SessionParts',
    'Stoppable',
    'UnconnectedRos',
    'actuator_owners',
    'check_rate',
    'compiled',
    'compiled_fill',
    'compiled_function',
    'derived_of',
    'give_command',
    'inlined',
    'missing_messages',
    'missing_package',
    'model_at',
    'new_state',
    'numbers_at',
    'ranged',
    'refuse_compiled',
    'ros_type',
    'same_text',
    'separate',
    'set_length',
    'set_stamp',
    'stamp_of',
    'warn_of_missing_messages',
]
