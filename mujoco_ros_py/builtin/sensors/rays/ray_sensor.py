"""The base of sensors that measure along rays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import mujoco
import numpy as np

from ....errors import PluginError
from ....plugins import ModelChange, new_state, ros_type
from ..noise import AxisNoise
from ..sensor_frames import SensorFrames
from ..sensor_plugin import SensorPlugin
from ..sites import frame_of_site
from .ray_config import RayConfig
from .ray_world import RayWorld

Header = ros_type('std_msgs/msg/Header')

Config = TypeVar('Config', bound=RayConfig)


class RaySensor(SensorPlugin[Config]):
    """A sensor with rays, which are cast on a thread of its own while somebody subscribes."""

    options: ClassVar[Mapping[str, Any]] = {
        'derived': 'poses', 'thread': True, 'copy_state': False, 'only_heard': True,
    }  # fmt: skip

    def find(self, model: mujoco.MjModel) -> None:
        """Finds the site and what rays see."""
        self._refuse_too_many_parts(float(model.opt.timestep))
        self._at_once: Any = None
        """The state of `measure`, with memory of its own; None before its first call."""
        self.world = RayWorld(self, model, self.config)
        """What the rays see, and the memory of what they have measured."""

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Lets rays find a geom that has grown."""
        if change.kind == 'geom':
            self.world.renew_bounds()

    def header(self, frames: SensorFrames) -> Any:
        """Returns the header of the messages, in the frame of the site."""
        return Header(frame_id=frame_of_site(frames, self.world.site))

    def measure(self) -> Any:
        """Returns what the sensor measures, with all rays from where it is in this moment."""
        return self.topic.read(self._whole_scan)

    def _whole_scan(self) -> Any:
        """Returns the state of a scanner that has just begun, and measures all rays at once."""
        state = self.topic.state
        if self._at_once is None:
            _, fields = self.describe(self._model, self._frames)
            begun = {'steps': 1, 'rate': self.config.update_rate}
            self._at_once = new_state(noise=np.array(state.noise), **{**fields, **begun})
        self._at_once.noise = state.noise
        return self._at_once

    def noises(self, config: Config) -> Sequence[AxisNoise]:
        """Returns the noise of the distances."""
        return (config.noise,)

    def _refuse_too_many_parts(self, timestep: float) -> None:
        """Raises PluginError if parts of a revolution would have no step of their own."""
        wanted, steps = self.rate_hz(self.config), 1.0 / timestep
        if self.config.spin_steps > 1 and wanted > steps * (1.0 + 1e-9):
            raise PluginError(
                f'spin_steps: {wanted:g} moments per second are more than the {steps:g} steps of '
                'the model'
            )

    def rate_hz(self, config: Config) -> float:
        """Returns how often a part of the rays is measured."""
        return config.update_rate * config.spin_steps
