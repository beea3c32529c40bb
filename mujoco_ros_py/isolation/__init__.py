"""Work that may end the process that does it, done in a process of its own.

Nothing here knows MuJoCo or ROS, and it imports quickly: the server starts such a process before
anything else, so that it is ready when the first model comes.
"""

from .limits import MIB, Limits
from .names import foreign_name, rule
from .special_files import special_file
from .worker import Worker

__all__ = ['MIB', 'Limits', 'Worker', 'foreign_name', 'rule', 'special_file']
