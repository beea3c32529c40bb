"""Fixtures with renderers and render loops that end with their test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.simulation import Simulation
from mujoco_ros_py.simulation.rendering import Renderer, RenderLoop, RenderOptions
from mujoco_ros_py.simulation.rendering.backend import GraphicsContext

from .screens import Stage


@pytest.fixture
def renderer(graphics: GraphicsContext) -> Iterator[Callable[..., Renderer]]:
    """Returns `renderer(model, size, **options)`, with room for images of this size."""
    graphics.context.make_current()
    made: list[Renderer] = []

    def make(model: mujoco.MjModel, size: tuple[int, int], **options: Any) -> Renderer:
        made.append(Renderer(model, graphics, RenderOptions(**options)))
        made[-1].make_room(*size)
        return made[-1]

    yield make
    for renderer in made:
        renderer.close()


@pytest.fixture
def draw(renderer: Callable[..., Renderer]) -> Callable[..., SimpleNamespace]:
    """Returns `draw(model, size, streams, paint=None, **options)` for images of camera 0."""

    def draw(
        model: mujoco.MjModel, size: Any, streams: Any, paint: Any = None, **options: Any
    ) -> SimpleNamespace:
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        frame = renderer(model, size, **options).draw(data, 0, size, streams, paint)
        images = {name: getattr(frame, name) for name in ('rgb', 'depth', 'labels')}
        copies = {name: None if it is None else it.copy() for name, it in images.items()}
        return SimpleNamespace(data=data, **copies)

    return draw


@pytest.fixture
def stage(graphics: GraphicsContext) -> Iterator[Callable[..., Stage]]:
    """Returns `stage(model, *screens, **options)`: a simulation with a render loop."""
    made: list[Stage] = []

    def make(model: mujoco.MjModel, *screens: Any, **options: Any) -> Stage:
        simulation = Simulation(**options)
        simulation.start()
        made.append(Stage(simulation, RenderLoop(simulation, RenderOptions())))
        made[-1].rendering.graphics()  # it asks the physics thread for snapshots
        made[-1].show(model, *screens)
        return made[-1]

    yield make
    for each in made:
        assert each.simulation.close(DEADLINE_S)
        assert each.rendering.close(DEADLINE_S)
