"""Imports the modules of users, and imports edited ones anew.

Nothing in this room imports MuJoCo or ROS.
"""

from .import_errors import explained
from .renewal import Renewal
from .user_imports import import_user_module, keep_sources

__all__ = ['Renewal', 'explained', 'import_user_module', 'keep_sources']
