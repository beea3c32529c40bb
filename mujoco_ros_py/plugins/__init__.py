"""The API for authors of server plugins.

`compiled_code` is the API for compiled functions. `host` is internal to the server: it finds and
runs plugins.
"""

from .. import requirements as _requirements  # noqa: F401  (refuses an unsupported MuJoCo)
from ..config import ranged
from ..simulation import ModelChange
from .contract import MujocoPlugin, State, compiled, new_state
from .host.environment import Environment
from .mixins import (
    Adaptable,
    Commandable,
    Diagnosable,
    Hardware,
    Reconfigurable,
    Savable,
    Stoppable,
    Switchable,
)
from .ros_interface import Ros
from .ros_types import ros_type

__all__ = [
    'Adaptable',
    'Commandable',
    'Diagnosable',
    'Environment',
    'Hardware',
    'ModelChange',
    'MujocoPlugin',
    'Reconfigurable',
    'Ros',
    'Savable',
    'State',
    'Stoppable',
    'Switchable',
    'compiled',
    'new_state',
    'ranged',
    'ros_type',
]
