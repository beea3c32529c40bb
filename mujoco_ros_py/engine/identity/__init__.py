"""What the machine code of a function follows from, as it is in memory."""

from .extensions import user_templates
from .references import UnfollowedError
from .walk import Identity, identify

__all__ = ['Identity', 'UnfollowedError', 'identify', 'user_templates']
