"""Finds all that is wrong with a text of MJCF, each fault with its file and its line."""

from .faults import check

__all__ = ['check']
