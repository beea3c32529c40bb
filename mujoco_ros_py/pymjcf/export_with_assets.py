"""Models as files in a folder."""

from ..mjcf import export_with_assets

__all__ = ['export_with_assets']
