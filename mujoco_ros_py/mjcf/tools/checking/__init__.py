"""All that is wrong with a text of MJCF, each fault with file and line."""

from .check import check

__all__ = ['check']
