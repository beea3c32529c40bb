"""Brings MJCF files into one layout: comments, order and all that they say stay."""

from .formatter import formatted

__all__ = ['formatted']
