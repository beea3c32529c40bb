"""Renders films of recordings."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from ...config.wording import unknown
from ...errors import RecordingError
from ...simulation.rendering import (
    FreeCamera,
    Renderer,
    RenderOptions,
    Stream,
    camera_name,
    open_context,
)
from .. import RecordedRun
from .recorded_models import recorded_model
from .row_steps import RecordedRow, recorded_rows

Tell = Callable[[float], object]
_EXACT_S = 1e-9
_DISTANCE = 2.5
"""The distance of the default camera, as a multiple of the model's extent."""
_CODECS = {'.mp4': 'libx264', '.mkv': 'libx264', '.mov': 'libx264', '.webm': 'libvpx-vp9'}
_POSES = (
    mujoco.mj_kinematics,
    mujoco.mj_comPos,
    mujoco.mj_camlight,
    mujoco.mj_flex,
    mujoco.mj_tendon,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class FilmOptions:
    """The options of a film."""

    camera: str = ''
    """Camera name; if empty, the model's first camera, or a default view of the whole scene."""
    width: int = 1280
    """The width in pixels, an even number."""
    height: int = 720
    """The height in pixels, an even number."""
    fps: float = 30.0
    """The number of images per second."""
    rate: float = 1.0
    """The number of simulated seconds per second of the film."""
    start_s: float | None = None
    """The simulated time at which the film starts; None for the start of the recording."""
    end_s: float | None = None
    """The simulated time at which the film ends; None for the end of the recording."""
    section: int | None = None
    """The number of the section to show; None for all sections."""
    shadows: bool = True

    def __post_init__(self) -> None:
        """Raises RecordingError for invalid sizes and rates."""
        for name in ('width', 'height'):
            if (size := getattr(self, name)) < 2 or size % 2:
                raise RecordingError(f'{name} must be even and at least 2 pixels, got {size}')
        for name in ('fps', 'rate'):
            if not (value := getattr(self, name)) > 0:
                raise RecordingError(f'{name} must be above 0, got {value:g}')


def render_film(
    run: RecordedRun,
    path: Path,
    options: FilmOptions,
    tell: Tell = lambda share: None,
) -> int:
    """Writes a film of a recording, and returns the number of its images.

    The film is written to a temporary file in the same folder, and renamed when it is complete.
    `tell(share)` is called with the finished share of the recording, from 0 to 1. Raises
    RecordingError for an unknown camera, for a recording without states in the given times, and if
    the library PyAV is missing.
    """
    if importlib.util.find_spec('av') is None:
        raise RecordingError(
            "films need the library PyAV: pip install 'mujoco_ros_py[recording]' installs it"
        )
    if path.suffix not in _CODECS:
        raise RecordingError(f'{path} must end with one of {", ".join(_CODECS)}')
    part = path.with_name(f'.{path.stem}.{os.getpid()}{path.suffix}')
    try:
        count = _render(run, part, options, tell)
        if not count:
            raise RecordingError(f'{run.path} has no states in the requested time range')
        os.replace(part, path)
    except OSError as error:
        raise RecordingError(f'{path} cannot be written: {error}') from None
    finally:
        with suppress(OSError):
            part.unlink()
    return count


def _render(run: RecordedRun, path: Path, options: FilmOptions, tell: Tell) -> int:
    import av

    count = 0
    with ExitStack() as stack:
        graphics = open_context('auto')
        stack.callback(graphics.close)
        screen = _Screen(graphics, options)
        stack.callback(screen.close)
        container = stack.enter_context(av.open(str(path), 'w'))
        rate = Fraction(options.fps).limit_denominator(1001)
        stream: Any = container.add_stream(_CODECS[path.suffix], rate=rate)
        stream.width, stream.height, stream.pix_fmt = options.width, options.height, 'yuv420p'
        for row in _shown(run, options, tell):
            image = av.VideoFrame.from_ndarray(screen.draw(run, row), format='rgb24')
            container.mux(stream.encode(image))
            count += 1
        container.mux(stream.encode(None))
    return count


def _shown(run: RecordedRun, options: FilmOptions, tell: Tell) -> Iterator[RecordedRow]:
    """Yields the state of each image; repeats a state until the time of the next one."""
    begin = float('-inf') if options.start_s is None else options.start_s - _EXACT_S
    end = float('inf') if options.end_s is None else options.end_s + _EXACT_S
    period_s, due, before = options.rate / options.fps, 0.0, None
    for row in recorded_rows(run, tell):
        if not begin <= row.time <= end:
            continue
        if options.section not in (None, row.section.number):
            continue
        if before is None or row.section is not before.section or row.time < before.time:
            due = row.time
        while row.time >= due - _EXACT_S:
            yield row
            due += period_s
        before = row


class _Screen:
    """Draws states; creates a new renderer for the model of each section."""

    def __init__(self, graphics: Any, options: FilmOptions) -> None:
        self._graphics, self._options = graphics, options
        self._renderer: Renderer | None = None
        self._section: Any = None
        self._camera: Any = None
        self._data: Any = None

    def draw(self, run: RecordedRun, row: RecordedRow) -> np.ndarray[Any, Any]:
        """Returns the image of a state, a uint8 array of shape (height, width, 3)."""
        if row.section is not self._section:
            self._show(recorded_model(run, row.section))
            self._section = row.section
        assert self._renderer is not None
        model, options = self._renderer.model, self._options
        row.section.put(model, self._data, row.numbers)
        for bring_up_to_date in _POSES:
            bring_up_to_date(model, self._data)
        size = options.width, options.height
        frame = self._renderer.draw(self._data, self._camera, size, Stream.RGB)
        assert frame.rgb is not None
        return frame.rgb

    def close(self) -> None:
        """Frees the OpenGL resources."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _show(self, model: mujoco.MjModel) -> None:
        self.close()
        shadows = self._options.shadows
        drawn = RenderOptions(shadows=shadows, reflections=shadows, samples=4)
        self._renderer = Renderer(model, self._graphics, drawn)
        self._renderer.make_room(self._options.width, self._options.height)
        self._camera = _camera(model, self._options.camera)
        self._data = mujoco.MjData(model)


def _camera(model: mujoco.MjModel, name: str) -> int | FreeCamera:
    """Returns a camera's id, or a default view. Raises RecordingError for an unknown camera."""
    names = [camera_name(model, number) for number in range(model.ncam)]
    if name:
        if name not in names:
            raise RecordingError(unknown('camera', name, names))
        return names.index(name)
    if names:
        return 0
    distance = _DISTANCE * float(model.stat.extent)
    camera = FreeCamera(position=model.stat.center + distance * np.array([0.5, -0.7, 0.5]))
    camera.look_at(model.stat.center)
    return camera
