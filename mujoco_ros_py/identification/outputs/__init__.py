"""Writes the result of an identification as files."""

from .folder import check_folder, write_outputs

__all__ = ['check_folder', 'write_outputs']
