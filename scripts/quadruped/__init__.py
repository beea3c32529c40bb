"""The parts of the program `walk`: the legs, the gait and the course of the quadruped."""

from .leg import JOINTS, LEGS
from .senses import Senses, senses
from .walker import Walker

__all__ = ['JOINTS', 'LEGS', 'Senses', 'Walker', 'senses']
