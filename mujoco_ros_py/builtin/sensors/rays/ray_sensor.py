"""The base class of ray sensors, and the geoms that their rays hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import mujoco
import numpy as np

from ....config import unknown
from ....errors import PluginError
from ....plugins import ModelChange, MujocoPlugin, new_state, ros_type
from ....plugins.compiled_code import HiddenGeoms, Memory
from ....simulation import names_of
from ...transforms.subtrees import subtree
from ..noise import AxisNoise
from ..sensor_frames import SensorFrames, find_site, frame_of_site
from ..sensor_plugin import SensorPlugin
from .ray_config import RayConfig

Header = ros_type('std_msgs/msg/Header')

_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
"""The weights of red, green and blue in the brightness (ITU-R BT.709)."""
_BRIGHTEST = 255.0

Config = TypeVar('Config', bound=RayConfig)


class RaySensor(SensorPlugin[Config]):
    """A ray sensor, which casts its rays on a separate thread while the topic has subscribers."""

    options: ClassVar[Mapping[str, Any]] = {
        'derived': 'poses', 'thread': True, 'copy_state': False, 'only_heard': True,
    }  # fmt: skip

    def find(self, model: mujoco.MjModel) -> None:
        """Finds the site and the geoms that rays see."""
        self._refuse_too_many_parts(float(model.opt.timestep))
        self._at_once: Any = None
        """The state of `measure`, with its own memory; None before the first call."""
        self.world = _RayWorld(self, model, self.config)
        """The geoms that the rays see, and the memory of the measurements."""

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Updates the bounds of geoms whose sizes have changed."""
        if change.kind == 'geom':
            self.world.renew_bounds()

    def header(self, frames: SensorFrames) -> Any:
        """Returns the message header with the site's frame."""
        return Header(frame_id=frame_of_site(frames, self.world.site))

    def measure(self) -> Any:
        """Returns a measurement with all rays cast from the current pose."""
        return self.topic.read(self._whole_scan)

    def _whole_scan(self) -> Any:
        """Returns the state of a scanner that has just started and measures all rays at once."""
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
        """Raises PluginError if the parts of a revolution outnumber the simulation steps."""
        wanted, steps = self.rate_hz(self.config), 1.0 / timestep
        if self.config.spin_steps > 1 and wanted > steps * (1.0 + 1e-9):
            raise PluginError(
                f'spin_steps: {wanted:g} parts per second exceed the {steps:g} steps per second '
                'of the model'
            )

    def rate_hz(self, config: Config) -> float:
        """Returns the rate at which parts of a revolution are measured, per second."""
        return config.update_rate * config.spin_steps


class _RayWorld:
    """A sensor's site, the geoms that its rays see, and the memory of its measurements."""

    def __init__(
        self, plugin: MujocoPlugin[Any], model: mujoco.MjModel, config: RayConfig
    ) -> None:
        """Raises PluginError if the robot lacks the site or an excluded body."""
        self.site = find_site(plugin, model, config.site)
        self._config = config
        bodies = _excluded(plugin, model, config, self.site)
        self._seen = HiddenGeoms(model, np.flatnonzero(np.isin(model.geom_bodyid, bodies)))
        self._brightness = Memory(_brightness(model))

    def renew_bounds(self) -> None:
        """Updates the bounds of geoms after their types or sizes have changed."""
        self._seen.renew_bounds()

    def fields(self, directions: np.ndarray[Any, Any]) -> dict[str, Any]:
        """Returns the fields of a topic's state for rays in these directions.

        `directions` are unit vectors in the site's frame, shape (rays, 3), in measuring order.
        """
        config, count = self._config, len(directions)
        groups = np.zeros(6, np.uint8)
        groups[list(config.geom_groups)] = 1
        return {
            'directions': Memory(directions),
            'turned': Memory(np.empty((count, 3))),
            'ranges': Memory(np.full(count, np.nan)),
            'intensities': Memory(np.zeros(count)),
            'brightness': self._brightness,
            'site': self.site,
            'seen': self._seen,
            'geoms': len(self._brightness.array),
            'groups': groups,
            'rays': count,
            'steps': config.spin_steps,
            'rate': config.update_rate * config.spin_steps,
            'number': -1,
            'leaps': 0,
            'whole': False,
            'begin': 0.0,
            'nearest': config.range.min,
            'farthest': config.range.max,
            'resolution': config.range.resolution,
        }


def _excluded(
    plugin: MujocoPlugin[Any], model: mujoco.MjModel, config: RayConfig, site: int
) -> list[int]:
    """Returns the bodies that rays pass through; excluding the world hides only its own geoms."""
    bodies = names_of(model, mujoco.mjtObj.mjOBJ_BODY, plugin.environment.prefix)
    for name in config.exclude:
        if name not in bodies:
            raise PluginError(f'exclude: {unknown("body", name, bodies)}')
    tops = {bodies[name] for name in config.exclude}
    root = int(model.body_rootid[model.site_bodyid[site]])
    if config.exclude_robot and root:
        tops.add(root)
    return [body for top in tops for body in (subtree(model, top) if top else [0])]


def _brightness(model: mujoco.MjModel) -> np.ndarray[Any, Any]:
    """Returns the brightness of each geom's material or colour, from 0 to 255."""
    colors = model.geom_rgba[:, :3].copy()
    painted = model.geom_matid >= 0
    colors[painted] = model.mat_rgba[model.geom_matid[painted], :3]
    brightness: np.ndarray[Any, Any] = _BRIGHTEST * (colors @ _LUMINANCE)
    return brightness
