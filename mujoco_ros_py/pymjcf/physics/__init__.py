"""Simulates a model of elements, with the interface of dm_control's Physics."""

from ...mjcf.physics.arrays import BoundArray
from ...mjcf.physics.binding import Binding, EmptyBinding
from .elements import names_from_elements
from .physics import Physics

SynchronizingArrayWrapper = BoundArray
_EmptyBinding = EmptyBinding

__all__ = ['Binding', 'Physics', 'SynchronizingArrayWrapper', 'names_from_elements']
