"""OpenGL for those who draw with MuJoCo's own functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import mujoco
import numpy as np


class GlContext:
    """OpenGL on a thread of its own, where all that draws has to be called."""

    def __init__(self, max_width: int, max_height: int) -> None:
        self._thread = ThreadPoolExecutor(1, 'pymjcf-rendering')
        self._context = self.call(mujoco.GLContext, max_width, max_height)
        self.call(self._context.make_current)

    def call(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """What the function returns when it is called there."""
        return self._thread.submit(function, *arguments, **keywords).result()

    @contextmanager
    def make_current(self) -> Iterator[GlContext]:
        """Gives what has `call`; there the context is always current."""
        yield self

    def to_pixels(self, image: Any) -> Any:
        """The image with its first row at the top."""
        return np.flipud(image)

    def free(self) -> None:
        """Gives back what OpenGL has of it."""
        self.call(self._context.free)
        self._thread.shutdown()


class MujocoContext:
    """What MuJoCo has of a model in OpenGL."""

    def __init__(self, model: mujoco.MjModel, gl: GlContext) -> None:
        self._gl = gl
        self._context: Any = gl.call(mujoco.MjrContext, model, mujoco.mjtFontScale.mjFONTSCALE_150)
        gl.call(mujoco.mjr_setBuffer, mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)

    @property
    def ptr(self) -> Any:
        """The `mujoco.MjrContext`."""
        return self._context

    def free(self) -> None:
        """Gives it back."""
        self._gl.call(self._context.free)


class Contexts(NamedTuple):
    """Both."""

    gl: GlContext
    mujoco: MujocoContext

    def free(self) -> None:
        """Gives both back."""
        self.mujoco.free()
        self.gl.free()


def new_contexts(model: mujoco.MjModel) -> Contexts:
    """Those for images as large as the model says."""
    size = model.vis.global_
    gl = GlContext(size.offwidth, size.offheight)
    return Contexts(gl, MujocoContext(model, gl))
