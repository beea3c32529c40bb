"""Formats MJCF files without changing comments, order and meaning."""

from .formatter import formatted

__all__ = ['formatted']
