"""Plugins of the server: their contract, where they are found, and the host that runs them."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from ..config import ranged
from ..engine import HiddenGeoms, Memory, inlined, model_at, numbers_at, separate, set_length
from ..simulation import ModelChange
from .contract import CompiledCallback, MujocoPlugin, compiled, new_state
from .environment import Environment
from .hosted_plugin import HostedPlugin
from .message_functions import same_text, set_stamp
from .missing_messages import missing_messages, warn_of_missing_messages
from .plugin_host import PluginHost
from .plugin_readiness import PluginReadiness
from .plugin_state import PluginState
from .ros_interface import NoRos, Ros, RosConnection
from .session_parts import SessionParts

__all__ = [
    'CompiledCallback',
    'Environment',
    'HiddenGeoms',
    'HostedPlugin',
    'Memory',
    'ModelChange',
    'MujocoPlugin',
    'NoRos',
    'PluginHost',
    'PluginReadiness',
    'PluginState',
    'Ros',
    'RosConnection',
    'SessionParts',
    'compiled',
    'inlined',
    'missing_messages',
    'model_at',
    'new_state',
    'numbers_at',
    'ranged',
    'same_text',
    'separate',
    'set_length',
    'set_stamp',
    'warn_of_missing_messages',
]
