"""Plugins: what they are, where they are found, and the host that runs them."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from ..config import ranged
from .contract import CompiledCallback, MujocoPlugin, compiled, new_state
from .environment import Environment
from .host import PluginHost
from .hosted import HostedPlugin, PluginState

__all__ = [
    'CompiledCallback',
    'Environment',
    'HostedPlugin',
    'MujocoPlugin',
    'PluginHost',
    'PluginState',
    'compiled',
    'new_state',
    'ranged',
]
