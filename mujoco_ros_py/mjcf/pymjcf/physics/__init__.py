"""Simulates models, with the interface of dm_control's Physics."""

from ...physics.arrays import BoundArray
from ...physics.binding import Binding, EmptyBinding
from .physics import Physics, names_from_elements

SynchronizingArrayWrapper = BoundArray
_EmptyBinding = EmptyBinding

__all__ = ['Binding', 'Physics', 'SynchronizingArrayWrapper', 'names_from_elements']
