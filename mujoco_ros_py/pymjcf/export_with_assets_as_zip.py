"""PyMJCF's module for exporting models to zip files."""

from ..mjcf import export_with_assets_as_zip

__all__ = ['export_with_assets_as_zip']
