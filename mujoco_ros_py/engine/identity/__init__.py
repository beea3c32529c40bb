"""Identifies a function by everything in memory that determines its machine code."""

from .code_references import UnfollowedError, forget_references
from .numba_registrations import read_anew, user_templates
from .walk import Identity, identify

__all__ = [
    'Identity',
    'UnfollowedError',
    'forget_references',
    'identify',
    'read_anew',
    'user_templates',
]
