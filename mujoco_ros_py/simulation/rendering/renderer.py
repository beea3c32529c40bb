"""Draws colour, depth and label images of one model.

`mujoco.Renderer` does not fit here: it has its own context and a fixed size, and draws depth and
labels in two passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntFlag
from functools import cached_property
from typing import Any

import mujoco
import numpy as np

from ...errors import RenderingError
from .backend import GraphicsContext
from .free_camera import FreeCamera
from .labels import Labels
from .options import AS_USUAL, CameraOptions, RenderOptions

Array = np.ndarray[Any, np.dtype[Any]]
Paint = Callable[[mujoco.MjModel, mujoco.MjData, mujoco.MjvScene], None]
_MAX_GEOMS = 10_000
"""The room in a scene for geoms from callbacks, in addition to the model's own geoms."""


class Stream(IntFlag):
    """The kinds of images, with the values of `cam_config.<camera>.stream_type`."""

    RGB = 1
    DEPTH = 2
    SEGMENTED = 4
    MOMENT = 8
    """The time of a due image, without the image."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The images of one view at one moment; None for kinds that were not requested.

    The arrays belong to the renderer and are valid until its next drawing. The first row is at the
    top of the image.
    """

    data: mujoco.MjData
    """The simulation data at the moment shown."""
    rgb: Array | None = None
    """The colours, uint8, shape (height, width, 3)."""
    depth: Array | None = None
    """The distances along the optical axis in metres, inf for background; float32, shape (height,
    width)."""
    labels: Array | None = None
    """The labels as indices into `Labels.table`; int32, shape (height, width)."""
    ros_time: float = 0.0
    """The ROS time in s for message stamps of this moment."""


class Renderer:
    """Renders one model. Create, use and close it on the thread of its OpenGL context.

    Raises RenderingError if OpenGL cannot hold the model's resources.
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
        self._flags = self._scene.flags.copy()
        options.write(self._flags)
        self._buffers: dict[tuple[int, int], tuple[Array, Array]] = {}

    def make_room(self, width: int, height: int) -> None:
        """Enlarges the offscreen buffer for images of this size, if necessary.

        Raises RenderingError if OpenGL cannot hold them.
        """
        if max(width, height) > self._max_size:
            raise RenderingError(
                f'images must be at most {self._max_size} pixels wide and high with this OpenGL, '
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
        options: CameraOptions = AS_USUAL,
    ) -> Frame:
        """Draws images of a camera, which is an id or a FreeCamera; `size` is in pixels.

        `paint(model, data, scene)` can add geoms and set flags. These affect only the colour
        image: depth and labels show the physical world.
        """
        if not streams & ~Stream.MOMENT:
            return Frame(data)
        self._scene.flags[:] = options.flags(self._flags)
        self._update(data, camera, options.of_colors)
        count = self._scene.ngeom
        if paint is not None:
            paint(self.model, data, self._scene)
        rgb = depth = labels = None
        with _translated():
            if streams & Stream.RGB:
                rgb = self._colors(*size)
            if streams & (Stream.DEPTH | Stream.SEGMENTED):
                self._scene.ngeom, self._scene.flags[:] = count, self._flags
                if not options.are_alike:
                    self._update(data, camera, options.of_measures)
                depth, labels = self._measures(*size, streams)
        return Frame(data, rgb, depth, labels)

    def _update(
        self, data: mujoco.MjData, camera: int | FreeCamera, option: mujoco.MjvOption
    ) -> None:
        """Updates the scene to the data, as seen by the camera."""
        view, everything = mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL.value
        if not isinstance(camera, FreeCamera):
            view.type, view.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED.value, camera
        mujoco.mjv_updateScene(self.model, data, option, None, view, everything, self._scene)
        if isinstance(camera, FreeCamera):
            camera.place(self.model, data, self._scene)

    @cached_property
    def _labels(self) -> Labels:
        """The labels, created when an image first needs them."""
        return Labels(self.model)

    def close(self) -> None:
        """Frees the OpenGL resources."""
        self._context.free()

    def _colors(self, width: int, height: int) -> Array:
        rgb, _ = self._buffer(width, height)
        self._draw(rgb, None, width, height)
        return rgb[::-1]

    def _measures(
        self, width: int, height: int, streams: Stream
    ) -> tuple[Array | None, Array | None]:
        """Draws depth and labels in one pass, without lights and anti-aliasing."""
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
        # Another renderer can have selected its own buffer since the last call.
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, self._context)
        mujoco.mjr_render(viewport, self._scene, self._context)
        mujoco.mjr_readPixels(rgb, depth, viewport, self._context)

    def _metres(self, depth: Array) -> Array:
        """Converts the depth buffer (1 at the near plane, 0 at the far plane and beyond) to m.

        This inverts OpenGL's projection with reversed depth: n f / (n + z (f - n)).
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
        """Returns reusable memory for a colour and a depth image of this size."""
        if (width, height) not in self._buffers:
            self._buffers[width, height] = (
                np.empty((height, width, 3), np.uint8),
                np.empty((height, width), np.float32),
            )
        return self._buffers[width, height]


def _numbers(colors: Array) -> Array:
    """Decodes the numbers that MuJoCo writes as colours (segid + 1); red is the lowest byte."""
    padded = np.zeros((*colors.shape[:2], 4), np.uint8)
    padded[..., :3] = colors
    return padded.view('<u4')[..., 0]


@contextmanager
def _quality(model: mujoco.MjModel, options: RenderOptions) -> Iterator[None]:
    """Sets the quality options in the model while MuJoCo reads them, then restores the model."""
    quality = model.vis.quality
    given = quality.offsamples, quality.shadowsize
    quality.offsamples = options.samples
    if not options.shadows:  # MuJoCo allocates the large shadow map even if shadows are off
        quality.shadowsize = 0
    try:
        yield
    finally:
        quality.offsamples, quality.shadowsize = given


@contextmanager
def _translated() -> Iterator[None]:
    """Converts MuJoCo's errors to RenderingError."""
    try:
        yield
    except (mujoco.FatalError, MemoryError) as error:
        raise RenderingError(f'MuJoCo cannot render: {error}') from error
