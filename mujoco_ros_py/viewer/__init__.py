"""Viewers in processes of their own, for browsers and in a window; no ROS here."""

from .browser_viewer import BrowserViewer
from .shown_model import ShownModel, send_model
from .viewer_commands import ServerCommands
from .viewer_keeper import ViewerKeeper
from .viewer_process import ViewerProcess
from .window_viewer import WindowViewer

__all__ = [
    'BrowserViewer',
    'ServerCommands',
    'ShownModel',
    'ViewerKeeper',
    'ViewerProcess',
    'WindowViewer',
    'send_model',
]
