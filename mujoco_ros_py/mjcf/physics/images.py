"""Images of a physics."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import mujoco

from ...errors import RenderingError

_MOST = 4
"""Renderers at a time, one for each size of image."""
_SCREENS = 'DISPLAY', 'WAYLAND_DISPLAY'


class Images:
    """Renderers of a model: made when an image of that size is asked for first."""

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
        """Makes an image with the arguments of `Physics.render`."""
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
        self._renderers[height, width] = found  # the last one used is the last one
        return found

    def _new_renderer(self, height: int, width: int) -> Any:
        try:
            _choose_backend()
            return mujoco.Renderer(self._model, height, width)
        except ValueError:
            raise  # of the size
        except Exception as error:  # PyOpenGL raises many types where a library is missing
            raise RenderingError(f'no OpenGL: {type(error).__name__}: {error}') from error

    def free(self) -> None:
        """Gives back what OpenGL has of them."""
        while self._renderers:
            self._renderers.popitem()[1].close()


def _flag(flag: Any) -> int:
    """The flag of this number, or of this name without `mjRND_` and in small letters."""
    if not isinstance(flag, str):
        return int(flag)
    found = getattr(mujoco.mjtRndFlag, f'mjRND_{flag.upper()}', None)
    if found is None:
        every = mujoco.mjtRndFlag.__members__
        known = ', '.join(name[6:].lower() for name in every if name.startswith('mjRND_'))
        raise ValueError(f'unknown render flag {flag!r}; known: {known}')
    return int(found)


def _choose_backend() -> None:
    """EGL where there is no screen and nobody said otherwise.

    MuJoCo looks at MUJOCO_GL when it is imported, which is before anybody asks for images.
    """
    screen = any(os.environ.get(name) for name in _SCREENS)
    if sys.platform == 'linux' and not screen and not os.environ.get('MUJOCO_GL'):
        os.environ['MUJOCO_GL'] = 'egl'
        try:
            importlib.reload(importlib.import_module('mujoco.rendering.classic.gl_context'))
        except BaseException:
            del os.environ['MUJOCO_GL']
            raise
