"""Exports the base class of all elements under PyMJCF's module name."""

from ..tree.element import Element

__all__ = ['Element']
