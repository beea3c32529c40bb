"""Identifies a function by everything in memory that determines its machine code."""

from .code_references import UnfollowedError
from .numba_registrations import user_templates
from .walk import Identity, identify

__all__ = ['Identity', 'UnfollowedError', 'identify', 'user_templates']
