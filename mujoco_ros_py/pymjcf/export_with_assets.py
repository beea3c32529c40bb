"""PyMJCF's module for exporting models to folders."""

from ..mjcf import export_with_assets

__all__ = ['export_with_assets']
