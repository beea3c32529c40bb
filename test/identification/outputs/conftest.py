"""A browser for the report."""

from chromium import driver, open_page

__all__ = ['driver', 'open_page']
