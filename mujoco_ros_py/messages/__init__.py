"""Messages that lie in memory as C lays them out, and are published without being converted."""

from .layout import layout
from .message import StructMessage, numbers
from .publisher import StructPublisher
from .stamps import set_time

__all__ = ['StructMessage', 'StructPublisher', 'layout', 'numbers', 'set_time']
