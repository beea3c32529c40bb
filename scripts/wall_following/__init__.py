"""Scan processing, steering and odometry, used by the program `follow_wall`."""

from .follower import Follower
from .scans import points_of
from .steering import free_direction, velocity
from .way import Way

__all__ = ['Follower', 'Way', 'free_direction', 'points_of', 'velocity']
