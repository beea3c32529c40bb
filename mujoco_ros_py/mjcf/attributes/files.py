"""Attributes that name a file."""

from __future__ import annotations

from .words import String


class File(String):
    """A file."""
