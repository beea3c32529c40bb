"""Renders images of the simulation (OpenGL contexts, cameras, the render loop), without ROS."""

from ... import requirements as _requirements  # noqa: F401  (rejects unsupported MuJoCo versions)
from .backend import GRAPHICS_PACKAGES, open_context
from .free_camera import FreeCamera
from .labels import Labels
from .loop import RenderLoop
from .model_cameras import camera_name, image_size, intrinsics
from .options import GROUPS, CameraOptions, RenderOptions
from .renderer import Frame, Renderer, Stream
from .view import View

__all__ = [
    'GRAPHICS_PACKAGES',
    'GROUPS',
    'CameraOptions',
    'Frame',
    'FreeCamera',
    'Labels',
    'RenderLoop',
    'RenderOptions',
    'Renderer',
    'Stream',
    'View',
    'camera_name',
    'image_size',
    'intrinsics',
    'open_context',
]
