"""The base class of engine plugins: what a class must and can define."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import mujoco

from ..engine_plugin_records import Capability, Function
from .instance import Instance
from .plugin_attribute import Attribute, Value


class EnginePlugin:
    """A plugin of MuJoCo's engine; derive a class from it and `register` that class.

    Class attributes of type `Attribute` become attributes of `<config>`. The functions that run in
    a step, such as `compute_actuator`, are static methods and are compiled. They take the
    instance's parameters as a record.
    """

    name: ClassVar[str]
    """The name by which models refer to the plugin. It must be globally unique:
    ``my_package.motor``."""
    capabilities: ClassVar[Capability]
    stage: ClassVar[mujoco.mjtStage] = mujoco.mjtStage.mjSTAGE_NONE
    """The stage after which a sensor plugin is computed."""
    attributes: ClassVar[Mapping[str, Attribute]] = {}
    """The attributes of the class by name, in order of definition."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Attribute)}
        cls.attributes = {**cls.attributes, **own}

    @classmethod
    def state_size(cls, config: Mapping[str, Value], instance: Instance) -> int:
        """Returns the number of values in `data.plugin_state` for an instance."""
        return 0

    @classmethod
    def sensor_size(cls, config: Mapping[str, Value], instance: Instance, sensor: int) -> int:
        """Returns the number of values of the sensor with this id."""
        return 1

    @classmethod
    def parameters(cls, config: Mapping[str, Value], instance: Instance) -> dict[str, Any]:
        """Returns numbers and arrays for the record that the compiled functions take.

        Called once per instance and mjData. Raises ValueError for an invalid configuration.
        """
        return _numbers(config)

    @classmethod
    def shape(cls, config: Mapping[str, Value]) -> dict[str, Any]:
        """Returns numbers and arrays for the record that the functions of a distance field take.

        Called before MuJoCo creates an instance.
        """
        return _numbers(config)

    @classmethod
    def bounds(cls, config: Mapping[str, Value]) -> Sequence[float]:
        """Returns the bounding box of a signed distance field, in metres.

        The result is either 3 half sizes about the origin, or 3 coordinates of the centre and 3
        half sizes.
        """
        raise NotImplementedError

    @classmethod
    def functions(cls) -> dict[Function, Any]:
        """Returns the compiled functions that the class defines."""
        return {f: getattr(cls, f.method) for f in Function if hasattr(cls, f.method)}


def _numbers(config: Mapping[str, Value]) -> dict[str, Any]:
    return {name: value for name, value in config.items() if not isinstance(value, str)}
