"""Finds all errors in an MJCF text, with file and line."""

from .text_check import check

__all__ = ['check']
