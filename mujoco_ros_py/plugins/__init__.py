"""Plugins of the server: what their authors need.

What compiled functions call is in `compiled_code`. The server finds and runs plugins in `host`.
"""

from .. import requirements as _requirements  # noqa: F401  (refuses a MuJoCo that will not do)
from ..config import ranged
from ..simulation import ModelChange
from .contract import MujocoPlugin, State, compiled, new_state
from .host.environment import Environment
from .mixins import Adaptable, Commandable, Reconfigurable, Savable, Stoppable
from .ros_interface import Ros
from .ros_types import ros_type

__all__ = [
    'Adaptable',
    'Commandable',
    'Environment',
    'ModelChange',
    'MujocoPlugin',
    'Reconfigurable',
    'Ros',
    'Savable',
    'State',
    'Stoppable',
    'compiled',
    'new_state',
    'ranged',
    'ros_type',
]
