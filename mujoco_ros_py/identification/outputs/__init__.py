"""Writes the result of an identification as files."""

from .folder import write_outputs

__all__ = ['write_outputs']
