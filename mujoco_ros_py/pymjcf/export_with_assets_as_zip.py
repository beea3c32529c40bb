"""The module of PyMJCF that exports models as zip files."""

from ..mjcf import export_with_assets_as_zip

__all__ = ['export_with_assets_as_zip']
