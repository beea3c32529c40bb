"""Plugins of the server: their contract, where they are found, and the host that runs them."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from ..config import ranged
from ..engine import inlined, separate
from .contract import CompiledCallback, MujocoPlugin, compiled, new_state
from .environment import Environment
from .hosted_plugin import HostedPlugin, PluginState
from .plugin_host import PluginHost
from .ros_interface import NoRos, Ros, RosConnection
from .session_parts import SessionParts

__all__ = [
    'CompiledCallback',
    'Environment',
    'HostedPlugin',
    'MujocoPlugin',
    'NoRos',
    'PluginHost',
    'PluginState',
    'Ros',
    'RosConnection',
    'SessionParts',
    'compiled',
    'inlined',
    'new_state',
    'ranged',
    'separate',
]
