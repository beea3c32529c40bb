"""Finds all faults in an MJCF text, each with its file and line."""

from .faults import check

__all__ = ['check']
