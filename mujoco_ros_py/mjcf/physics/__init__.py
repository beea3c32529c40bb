"""Simulates models, with arrays by element and by name that are computed on demand."""

from .binding import Binding
from .physics import Physics

__all__ = ['Binding', 'Physics']
