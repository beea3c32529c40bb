"""A simulation with a render loop, and screens that store their images."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
from deadline import DEADLINE_S, until

from mujoco_ros_py.engine import CallbackTable
from mujoco_ros_py.simulation import NoPlugins, Simulation
from mujoco_ros_py.simulation.rendering import Frame, RenderLoop, Stream, View

BALL = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <camera name="front" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <camera name="top" pos="0 0 2"/>
    <body name="ball"><joint type="slide" axis="0 0 1"/><geom size="0.2"/></body>
  </worldbody>
</mujoco>
"""


class Screen:
    """A screen that wants the streams of `wants`, and stores the times of its images."""

    def __init__(
        self,
        camera: int = 0,
        *,
        rate_hz: float = 10.0,
        wants: Stream = Stream.RGB,
        size: tuple[int, int] = (32, 24),
        then: Callable[[Frame], object] = lambda frame: None,
    ) -> None:
        self.wants, self._then = wants, then
        self.times: list[float] = []
        self.asked = 0
        """How often the loop has asked which streams are wanted."""
        self.view = View(
            camera=camera,
            width=size[0],
            height=size[1],
            rate_hz=rate_hz,
            wanted=self._wanted,
            deliver=self._deliver,
        )

    def _wanted(self) -> Stream:
        self.asked += 1
        return self.wants

    def _deliver(self, frame: Frame) -> None:
        self.times.append(float(frame.data.time))
        self._then(frame)


class Showing(NoPlugins):
    """Opens the screens' views with a model, as the plugin for cameras does."""

    def __init__(self, rendering: RenderLoop, screens: tuple[Screen, ...]) -> None:
        self._rendering, self._screens = rendering, screens

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> CallbackTable:
        for screen in self._screens:
            self._rendering.open(model, screen.view)
        return CallbackTable()

    def unload(self) -> None:
        for screen in self._screens:
            self._rendering.close_view(screen.view)


@dataclass
class Stage:
    simulation: Simulation
    rendering: RenderLoop

    def show(self, model: mujoco.MjModel, *screens: Screen) -> None:
        """Loads the model with the screens."""
        showing = Showing(self.rendering, screens)
        self.simulation.load(model, showing).result(DEADLINE_S)

    def run_until(self, time_s: float) -> None:
        until(lambda: self.simulation.time >= time_s)


def ball() -> mujoco.MjModel:
    """Returns a model of a ball that falls from the middle of the image, with two cameras."""
    return mujoco.MjModel.from_xml_string(BALL)


def orthographic() -> str:
    """Returns the attribute of an orthographic camera, which MuJoCo 3 names differently."""
    new = hasattr(mujoco, 'mjtProjection')
    return 'projection="orthographic"' if new else 'orthographic="true"'
