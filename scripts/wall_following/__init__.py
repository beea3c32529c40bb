"""The parts of the program `follow_wall`: what a scan shows, where to go, and how far it was."""

from .follower import Follower
from .scans import points_of
from .steering import free_direction, velocity
from .way import Way

__all__ = ['Follower', 'Way', 'free_direction', 'points_of', 'velocity']
