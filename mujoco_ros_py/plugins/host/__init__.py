"""The plugin host: finds plugins, runs them, and isolates their faults from each other.

Internal to sessions and the room `ros`; plugins do not need it.
"""

from ..contract import CompiledCallback
from .absent_parts import AbsentParts
from .commands import actuator_owners, give_command
from .hosted_plugin import HostedPlugin
from .plugin_host import PluginHost
from .plugin_reports import diagnostics_of, switch, switches_of
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
from .session_parts import SessionParts
from .unconnected_ros import UnconnectedRos

__all__ = [
    'AbsentParts',
    'CompiledCallback',
    'HostedPlugin',
    'NoRos',
    'PluginHost',
    'PluginState',
    'Reading',
    'RosConnection',
    'SessionParts',
    'UnconnectedRos',
    'actuator_owners',
    'check_rate',
    'compiled_fill',
    'compiled_function',
    'derived_of',
    'diagnostics_of',
    'give_command',
    'refuse_compiled',
    'stamp_of',
    'switch',
    'switches_of',
]
