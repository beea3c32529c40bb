"""Identifies a function by everything in memory that affects its machine code."""

from .code_references import UnfollowedError, forget_references
from .numba_registrations import RetiredOverloads, user_templates
from .walk import Identity, identify

__all__ = [
    'Identity',
    'RetiredOverloads',
    'UnfollowedError',
    'forget_references',
    'identify',
    'user_templates',
]
