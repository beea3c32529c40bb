"""Finds all faults in an MJCF text, each with its file and line."""

from .text_check import check

__all__ = ['check']
