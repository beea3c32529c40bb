"""The module of PyMJCF that exports models into folders."""

from ..mjcf import export_with_assets

__all__ = ['export_with_assets']
