"""OpenGL contexts for drawing with MuJoCo's own functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import mujoco
import numpy as np

from ...mjcf.physics.images import choose_backend


class GlContext:
    """An OpenGL context on a thread of its own, on which all drawing functions must be called."""

    def __init__(self, max_width: int, max_height: int) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._thread = ThreadPoolExecutor(1, 'pymjcf-rendering')
        self._context = self.call(choose_backend().GLContext, max_width, max_height)
        self.call(self._context.make_current)

    def call(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Calls a function on the context's thread, and returns its result."""
        return self._thread.submit(function, *arguments, **keywords).result()

    @contextmanager
    def make_current(self) -> Iterator[GlContext]:
        """Yields the object with `call`, on whose thread the context is always current."""
        yield self

    def to_pixels(self, image: Any) -> Any:
        """Returns the image with its first row at the top."""
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
        """The `mujoco.MjrContext` of the model."""
        return self._context

    def free(self) -> None:
        """Frees the resources."""
        self._gl.call(self._context.free)


class Contexts(NamedTuple):
    """The OpenGL context and MuJoCo's resources in it."""

    gl: GlContext
    mujoco: MujocoContext

    def free(self) -> None:
        """Frees both contexts."""
        self.mujoco.free()
        self.gl.free()


def new_contexts(model: mujoco.MjModel) -> Contexts:
    """Makes contexts for images of the size that the model sets."""
    size = model.vis.global_
    gl = GlContext(size.offwidth, size.offheight)
    return Contexts(gl, MujocoContext(model, gl))
