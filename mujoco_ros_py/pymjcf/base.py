"""What every element of a model is."""

from ..mjcf.tree.element import Element

__all__ = ['Element']
