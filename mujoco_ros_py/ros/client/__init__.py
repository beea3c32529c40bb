"""The commands that talk to running nodes; they work without the `ros2` command line."""

from .client_node import Client
from .frames import describe_frames, describe_pose
from .name_lists import LISTS, list_names
from .parameters import (
    describe_parameters,
    dump_parameters,
    get_values,
    list_parameters,
    set_value,
)
from .services import call, send_goal
from .topics import echo, publish

__all__ = [
    'LISTS',
    'Client',
    'call',
    'describe_frames',
    'describe_parameters',
    'describe_pose',
    'dump_parameters',
    'echo',
    'get_values',
    'list_names',
    'list_parameters',
    'publish',
    'send_goal',
    'set_value',
]
