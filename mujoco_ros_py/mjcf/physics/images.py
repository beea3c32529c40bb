"""Renders images of a physics."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import mujoco

from ...errors import RenderingError
from ...mujoco_internals import gl_context

_MOST = 4
"""The maximum number of cached renderers, one for each image size."""
_SCREENS = 'DISPLAY', 'WAYLAND_DISPLAY'


class Images:
    """The renderers of a model, created when an image of their size is first requested."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._renderers: dict[tuple[int, int], Any] = {}

    def make(
        self,
        data: mujoco.MjData,
        height: int,
        width: int,
        camera: int | str | mujoco.MjvCamera,
        *,
        depth: bool,
        segmentation: bool,
        option: mujoco.MjvOption | None,
        flags: Mapping[Any, bool],
        edit: Callable[[mujoco.MjvScene], object] | None,
    ) -> Any:
        """Renders an image with the arguments of `Physics.render`."""
        renderer = self._renderer(height, width)
        for wanted, kind in ((depth, 'depth'), (segmentation, 'segmentation')):
            getattr(renderer, f'{"enable" if wanted else "disable"}_{kind}_rendering')()
        renderer.update_scene(data, camera, option)
        if edit is not None:
            edit(renderer.scene)
        before = renderer.scene.flags.copy()
        try:
            for flag, value in flags.items():
                renderer.scene.flags[_flag(flag)] = value
            return renderer.render()
        finally:
            renderer.scene.flags[:] = before

    def _renderer(self, height: int, width: int) -> Any:
        found = self._renderers.pop((height, width), None)
        if found is None:
            while len(self._renderers) >= _MOST:
                self._renderers.pop(next(iter(self._renderers))).close()
            found = self._new_renderer(height, width)
        self._renderers[height, width] = found  # most recently used last
        return found

    def _new_renderer(self, height: int, width: int) -> Any:
        try:
            choose_backend()
            return mujoco.Renderer(self._model, height, width)
        except ValueError:
            raise  # ValueError: wrong image size
        except Exception as error:  # PyOpenGL raises many error types if a library is missing
            raise RenderingError(f'no OpenGL: {type(error).__name__}: {error}') from error

    def free(self) -> None:
        """Frees the OpenGL resources of the renderers."""
        while self._renderers:
            self._renderers.popitem()[1].close()


def _flag(flag: Any) -> int:
    """Returns a rendering flag from its number, or from its lower-case name without `mjRND_`."""
    if not isinstance(flag, str):
        return int(flag)
    found = getattr(mujoco.mjtRndFlag, f'mjRND_{flag.upper()}', None)
    if found is None:
        every = mujoco.mjtRndFlag.__members__
        known = ', '.join(name[6:].lower() for name in every if name.startswith('mjRND_'))
        raise ValueError(f'unknown render flag {flag!r}; known: {known}')
    return int(found)


def choose_backend() -> Any:
    """Returns MuJoCo's OpenGL module; selects EGL if neither a display nor MUJOCO_GL is set.

    MuJoCo reads MUJOCO_GL only when it is imported, so selecting EGL now reloads this module.
    """
    module = gl_context()
    screen = any(os.environ.get(name) for name in _SCREENS)
    if sys.platform == 'linux' and not screen and not os.environ.get('MUJOCO_GL'):
        _use_egl(module)
    return module


@cache
def _use_egl(module: Any) -> None:
    """Switches MuJoCo's module to EGL.

    The module is reloaded with MUJOCO_GL set. The variable is deleted again because child
    processes would otherwise load EGL needlessly.
    """
    os.environ['MUJOCO_GL'] = 'egl'
    try:
        importlib.reload(module)
    finally:
        del os.environ['MUJOCO_GL']
