"""Simulates a model of elements, with the interface of dm_control's Physics."""

from ...mjcf.physics.arrays import BoundArray
from ...mjcf.physics.binding import Binding, EmptyBinding
from .bound_names import names_from_elements
from .pymjcf_physics import Physics

SynchronizingArrayWrapper = BoundArray
_EmptyBinding = EmptyBinding

__all__ = ['Binding', 'Physics', 'SynchronizingArrayWrapper', 'names_from_elements']
