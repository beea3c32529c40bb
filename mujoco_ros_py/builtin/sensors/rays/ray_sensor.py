"""The base of sensors that measure along rays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import mujoco
from std_msgs.msg import Header

from ....errors import PluginError
from ....plugins import ModelChange
from ..noise import AxisNoise
from ..sensor_frames import SensorFrames
from ..sensor_plugin import SensorPlugin
from ..sites import frame_of_site
from .ray_config import RayConfig
from .ray_world import RayWorld

Config = TypeVar('Config', bound=RayConfig)


class RaySensor(SensorPlugin[Config]):
    """A sensor with rays, which are cast on a thread of its own while somebody subscribes."""

    options: ClassVar[Mapping[str, Any]] = {
        'derived': 'poses', 'thread': True, 'copy_state': False, 'only_heard': True,
    }  # fmt: skip

    def find(self, model: mujoco.MjModel) -> None:
        """Finds the site and what rays see."""
        self._refuse_too_many_parts(float(model.opt.timestep))
        self.world = RayWorld(self, model, self.config)
        """What the rays see, and the memory of what they have measured."""

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Lets rays find a geom that has grown."""
        if change.kind == 'geom':
            self.world.renew_bounds()

    def header(self, frames: SensorFrames) -> Header:
        """Returns the header of the messages, in the frame of the site."""
        return Header(frame_id=frame_of_site(frames, self.world.site))

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
