"""OpenGL contexts for MuJoCo's own drawing functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import mujoco
import numpy as np

from ...physics.images import choose_backend


class GlContext:
    """An OpenGL context with its own thread. Drawing functions must be called on this thread."""

    def __init__(self, max_width: int, max_height: int) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._thread = ThreadPoolExecutor(1, 'pymjcf-rendering')
        self._context = self.call(choose_backend().GLContext, max_width, max_height)
        self.call(self._context.make_current)

    def call(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Calls a function on the context's thread and returns the result."""
        return self._thread.submit(function, *arguments, **keywords).result()

    @contextmanager
    def make_current(self) -> Iterator[GlContext]:
        """Yields this object; the context is always current on the thread used by `call`."""
        yield self

    def to_pixels(self, image: Any) -> Any:
        """Flips an image vertically, so the first row is at the top."""
        return np.flipud(image)

    def free(self) -> None:
        """Frees the OpenGL context."""
        self.call(self._context.free)
        self._thread.shutdown()


class MujocoContext:
    """The OpenGL resources of a model."""

    def __init__(self, model: mujoco.MjModel, gl: GlContext) -> None:
        self._gl = gl
        self._context: Any = gl.call(mujoco.MjrContext, model, mujoco.mjtFontScale.mjFONTSCALE_150)
        gl.call(mujoco.mjr_setBuffer, mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)

    @property
    def ptr(self) -> Any:
        """The model's `mujoco.MjrContext`."""
        return self._context

    def free(self) -> None:
        """Frees the resources."""
        self._gl.call(self._context.free)


class Contexts(NamedTuple):
    """The OpenGL context and MuJoCo's resources in it."""

    gl: GlContext
    mujoco: MujocoContext

    def free(self) -> None:
        """Frees the model's OpenGL resources, and then the OpenGL context."""
        self.mujoco.free()
        self.gl.free()


def new_contexts(model: mujoco.MjModel) -> Contexts:
    """Creates contexts for the offscreen image size set in the model."""
    size = model.vis.global_
    gl = GlContext(size.offwidth, size.offheight)
    return Contexts(gl, MujocoContext(model, gl))
