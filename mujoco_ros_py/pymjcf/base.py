"""Exports the base class of all elements under PyMJCF's module name."""

from ..mjcf.tree.element import Element

__all__ = ['Element']
