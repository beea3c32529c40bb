"""PyMJCF's module for the base class of all elements."""

from ..mjcf.tree.element import Element

__all__ = ['Element']
