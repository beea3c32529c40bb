"""Exports the function that writes models to folders, under PyMJCF's module name."""

from .. import export_with_assets

__all__ = ['export_with_assets']
