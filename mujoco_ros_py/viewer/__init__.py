"""Viewers in separate processes, for browsers and in a window; imports no ROS."""

from .process_keeper import ViewerContent
from .shown_model import ShownModel, send_model
from .shown_simulation import ShownSimulation
from .viewer_commands import ServerCommands
from .viewer_process import ViewerProcess
from .viewers import BrowserViewer, WindowViewer

__all__ = [
    'BrowserViewer',
    'ServerCommands',
    'ShownModel',
    'ShownSimulation',
    'ViewerContent',
    'ViewerProcess',
    'WindowViewer',
    'send_model',
]
