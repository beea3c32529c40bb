"""Simulating a model of elements: its arrays by element, by name, and derived on demand."""

from .binding import Binding
from .physics import Physics

__all__ = ['Binding', 'Physics']
