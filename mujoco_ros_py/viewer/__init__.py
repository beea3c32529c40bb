"""A viewer for browsers, in a process of its own, on MuJoCo's Studio; no ROS here."""

from .browser_viewer import BrowserViewer
from .shown_model import ShownModel, send_model
from .viewer_commands import ServerCommands
from .viewer_keeper import ViewerKeeper
from .viewer_process import ViewerProcess

__all__ = [
    'BrowserViewer',
    'ServerCommands',
    'ShownModel',
    'ViewerKeeper',
    'ViewerProcess',
    'send_model',
]
