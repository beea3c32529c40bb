"""Work that may end the process that does it, done in a process of its own.

Nothing here imports MuJoCo or ROS.
"""

from .child import peak_memory
from .limits import MIB, Limits
from .names import foreign_name, rule
from .roots import no_model
from .special_files import special, special_file
from .worker import Worker

__all__ = [
    'MIB',
    'Limits',
    'Worker',
    'foreign_name',
    'no_model',
    'peak_memory',
    'rule',
    'special',
    'special_file',
]
