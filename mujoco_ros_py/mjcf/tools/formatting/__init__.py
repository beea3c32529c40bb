"""One layout for MJCF files: comments, order and all that they say stay."""

from .formatter import formatted

__all__ = ['formatted']
