"""Exports the function that writes models to zip files, under PyMJCF's module name."""

from ..mjcf import export_with_assets_as_zip

__all__ = ['export_with_assets_as_zip']
