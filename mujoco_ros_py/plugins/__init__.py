"""Plugins: what they are, where they are found, and the host that runs them."""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from ..config import ranged
from .communication import Communication, Ros, Silence
from .contract import CompiledCallback, MujocoPlugin, compiled, new_state
from .environment import Environment
from .host import PluginHost
from .hosted import HostedPlugin, PluginState
from .surroundings import Surroundings

__all__ = [
    'Communication',
    'CompiledCallback',
    'Environment',
    'HostedPlugin',
    'MujocoPlugin',
    'PluginHost',
    'PluginState',
    'Ros',
    'Silence',
    'Surroundings',
    'compiled',
    'new_state',
    'ranged',
]
