"""Exports the function that writes models to zip files, under PyMJCF's module name."""

from .. import export_with_assets_as_zip

__all__ = ['export_with_assets_as_zip']
