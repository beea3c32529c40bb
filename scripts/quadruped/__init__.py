"""The legs, gait, odometry and course of the quadruped, used by the program `walk`."""

from .leg import JOINTS, LEGS
from .senses import Senses, senses
from .walker import Walker

__all__ = ['JOINTS', 'LEGS', 'Senses', 'Walker', 'senses']
