"""Simulates a model of elements: arrays by element and by name, computed on demand."""

from .binding import Binding
from .physics import Physics

__all__ = ['Binding', 'Physics']
