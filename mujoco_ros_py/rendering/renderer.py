"""Draws one model: colour, depth and labels of a camera's view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntFlag
from functools import cached_property
from typing import Any

import mujoco
import numpy as np

from ..errors import RenderingError
from .backend import GraphicsContext
from .free_camera import FreeCamera
from .labels import Labels
from .options import RenderOptions

Array = np.ndarray[Any, np.dtype[Any]]
Paint = Callable[[mujoco.MjModel, mujoco.MjData, mujoco.MjvScene], None]
_MAX_GEOMS = 10_000
"""Of a scene, beside those of the model: what callbacks add."""


class Stream(IntFlag):
    """Kinds of images; the numbers are those of `cam_config.<camera>.stream_type`."""

    RGB = 1
    DEPTH = 2
    SEGMENTED = 4
    MOMENT = 8
    """No image, only when there would be one."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Images of one view at one moment; None for what was not asked for.

    The arrays are the renderer's own, first row at the top, valid until it draws again.
    """

    data: mujoco.MjData
    """Of the moment that is shown."""
    rgb: Array | None = None
    """uint8, (height, width, 3)."""
    depth: Array | None = None
    """Distance along the optical axis in metres; inf: nothing there. float32, (height, width)."""
    labels: Array | None = None
    """Rows of `Labels.table`; int32, (height, width)."""


class Renderer:
    """Made, used and closed on the thread of its OpenGL context.

    Raises RenderingError where OpenGL cannot hold what the model needs.
    """

    def __init__(
        self, model: mujoco.MjModel, graphics: GraphicsContext, options: RenderOptions
    ) -> None:
        self.model = model
        self._max_size = graphics.max_size
        with _translated(), _quality(model, options):
            self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100.value)
            self._scene = mujoco.MjvScene(model, _MAX_GEOMS + 2 * model.ngeom + model.nsite)
        self._context.readDepthMap = mujoco.mjtDepthMap.mjDEPTH_ZEROFAR.value
        self._option = mujoco.MjvOption()
        self._flags = self._scene.flags.copy()
        self._flags[mujoco.mjtRndFlag.mjRND_SHADOW] = options.shadows
        self._flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = options.reflections
        self._buffers: dict[tuple[int, int], tuple[Array, Array]] = {}

    def make_room(self, width: int, height: int) -> None:
        """For images up to this size. Raises RenderingError if OpenGL has none that large."""
        if max(width, height) > self._max_size:
            raise RenderingError(
                f'images can be {self._max_size} pixels wide and high at most with this OpenGL, '
                f'got {width} x {height}'
            )
        width = max(width, self._context.offWidth)
        height = max(height, self._context.offHeight)
        if (width, height) != (self._context.offWidth, self._context.offHeight):
            with _translated():
                mujoco.mjr_resizeOffscreen(width, height, self._context)

    def draw(
        self,
        data: mujoco.MjData,
        camera: int | FreeCamera,
        size: tuple[int, int],
        streams: Stream,
        paint: Paint | None = None,
    ) -> Frame:
        """The images of a camera, by its id in the model or free; `size` is (width, height).

        `paint(model, data, scene)` may add geoms and set flags: they are seen in the colour image
        alone, so that depth and labels stay those of the world.
        """
        if not streams & ~Stream.MOMENT:
            return Frame(data)
        self._scene.flags[:] = self._flags
        self._update(data, camera)
        count = self._scene.ngeom
        if paint is not None:
            paint(self.model, data, self._scene)
        rgb = depth = labels = None
        with _translated():
            if streams & Stream.RGB:
                rgb = self._colors(*size)
            if streams & (Stream.DEPTH | Stream.SEGMENTED):
                self._scene.ngeom, self._scene.flags[:] = count, self._flags
                depth, labels = self._measures(*size, streams)
        return Frame(data, rgb, depth, labels)

    def _update(self, data: mujoco.MjData, camera: int | FreeCamera) -> None:
        """The scene of this moment, as the camera sees it."""
        view, everything = mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL.value
        if not isinstance(camera, FreeCamera):
            view.type, view.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED.value, camera
        mujoco.mjv_updateScene(self.model, data, self._option, None, view, everything, self._scene)
        if isinstance(camera, FreeCamera):
            camera.place(self.model, data, self._scene)

    @cached_property
    def _labels(self) -> Labels:
        """Made for the first image that needs them."""
        return Labels(self.model)

    def close(self) -> None:
        """Frees what OpenGL holds."""
        self._context.free()

    def _colors(self, width: int, height: int) -> Array:
        rgb, _ = self._buffer(width, height)
        self._draw(rgb, None, width, height)
        return rgb[::-1]

    def _measures(
        self, width: int, height: int, streams: Stream
    ) -> tuple[Array | None, Array | None]:
        """Depth and labels come from one drawing, without lights and averaging."""
        colors, depth = self._buffer(width, height)
        ids = np.empty_like(colors) if streams & Stream.SEGMENTED else None
        self._scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = True
        self._scene.flags[mujoco.mjtRndFlag.mjRND_IDCOLOR] = True
        self._draw(ids, depth if streams & Stream.DEPTH else None, width, height)
        labels = None
        if ids is not None:
            labels = self._labels.of_scene(self._scene)[_numbers(ids)][::-1]
        return (self._metres(depth) if streams & Stream.DEPTH else None), labels

    def _draw(self, rgb: Array | None, depth: Array | None, width: int, height: int) -> None:
        viewport = mujoco.MjrRect(0, 0, width, height)
        # each time: another renderer may have drawn since, and OpenGL draws where it did last
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, self._context)
        mujoco.mjr_render(viewport, self._scene, self._context)
        mujoco.mjr_readPixels(rgb, depth, viewport, self._context)

    def _metres(self, depth: Array) -> Array:
        """From what the depth buffer holds: 1 at the near plane, 0 at the far one and beyond.

        The inverse of OpenGL's projection with the depth reversed: n f / (n + z (f - n)).
        """
        extent, planes = self.model.stat.extent, self.model.vis.map
        near, far = np.float32(planes.znear * extent), np.float32(planes.zfar * extent)
        nothing = depth == 0
        if self._scene.camera[0].orthographic:
            np.subtract(far, depth * (far - near), out=depth)
        else:
            depth *= far - near
            depth += near
            np.divide(near * far, depth, out=depth)
        depth[nothing] = np.inf
        return depth[::-1]

    def _buffer(self, width: int, height: int) -> tuple[Array, Array]:
        """Memory to read a colour and a depth image into, kept for the next."""
        if (width, height) not in self._buffers:
            self._buffers[width, height] = (
                np.empty((height, width, 3), np.uint8),
                np.empty((height, width), np.float32),
            )
        return self._buffers[width, height]


def _numbers(colors: Array) -> Array:
    """MuJoCo writes segid + 1 as a colour: red is the lowest byte."""
    padded = np.zeros((*colors.shape[:2], 4), np.uint8)
    padded[..., :3] = colors
    return padded.view('<u4')[..., 0]


@contextmanager
def _quality(model: mujoco.MjModel, options: RenderOptions) -> Iterator[None]:
    """MuJoCo takes these from the model, which is not ours to change for good."""
    quality = model.vis.quality
    given = quality.offsamples, quality.shadowsize
    quality.offsamples = options.samples
    if not options.shadows:  # their map is made even if none is drawn, and is large
        quality.shadowsize = 0
    try:
        yield
    finally:
        quality.offsamples, quality.shadowsize = given


@contextmanager
def _translated() -> Iterator[None]:
    """MuJoCo's errors as ours."""
    try:
        yield
    except (mujoco.FatalError, MemoryError) as error:
        raise RenderingError(f'MuJoCo cannot render: {error}') from error
