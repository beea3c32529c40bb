"""The base of sensors that measure along rays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import mujoco
from std_msgs.msg import Header

from ..noise import AxisNoise
from ..sensor_frames import SensorFrames
from ..sensor_plugin import SensorPlugin
from .ray_config import RayConfig
from .ray_world import RayWorld

Config = TypeVar('Config', bound=RayConfig)


class RaySensor(SensorPlugin[Config]):
    """A sensor with rays, which are cast on a thread of its own while somebody subscribes."""

    options: ClassVar[Mapping[str, Any]] = {
        'derived': 'poses', 'thread': True, 'copy_state': False, 'only_heard': True,
    }  # fmt: skip

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the site and what rays see, and begins to publish."""
        self.world = RayWorld(self, model, self.config)
        """What the rays see, and the memory of what they have measured."""
        super().load(model, data)

    def header(self, frames: SensorFrames) -> Header:
        """Returns the header of the messages, in the frame of the site."""
        return Header(frame_id=frames.of(int(mujoco.mjtObj.mjOBJ_SITE), self.world.site))

    def noises(self, config: Config) -> Sequence[AxisNoise]:
        """Returns the noise of the distances."""
        return (config.noise,)

    def rate_hz(self, config: Config) -> float:
        """Returns how often a part of the rays is measured."""
        return config.update_rate * config.spin_steps
