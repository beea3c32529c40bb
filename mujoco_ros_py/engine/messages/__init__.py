"""Messages in C memory layout, which are published without conversion."""

from .layout import ELEMENT, TEXT, layout_name, message_layout
from .message import StructMessage, StructPublisher, numbers, set_time
from .stand_in_memory import StandInMemory
from .stand_ins import StandIn, package_of, stand_in
from .topic_names import as_topic

__all__ = [
    'ELEMENT',
    'TEXT',
    'StandIn',
    'StandInMemory',
    'StructMessage',
    'StructPublisher',
    'as_topic',
    'layout_name',
    'message_layout',
    'numbers',
    'package_of',
    'set_time',
    'stand_in',
]
