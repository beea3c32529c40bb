"""What every element of a model is."""

from ..mjcf.element import Element

__all__ = ['Element']
