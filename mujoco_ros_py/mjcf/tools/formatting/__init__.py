"""Formats MJCF files: their layout changes, but comments, order and meaning stay."""

from .formatter import formatted

__all__ = ['formatted']
