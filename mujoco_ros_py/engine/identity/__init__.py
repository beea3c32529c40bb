"""What the machine code of a function follows from, as it is in memory."""

from .code_references import UnfollowedError
from .numba_registrations import user_templates
from .walk import Identity, identify

__all__ = ['Identity', 'UnfollowedError', 'identify', 'user_templates']
