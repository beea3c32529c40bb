"""A viewer for browsers, in a process of its own, on MuJoCo's Studio; no ROS here."""

from .browser_viewer import BrowserViewer
from .viewer_commands import ServerCommands

__all__ = ['BrowserViewer', 'ServerCommands']
