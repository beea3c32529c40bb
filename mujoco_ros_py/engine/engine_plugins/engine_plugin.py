"""The contract of engine plugins: what a class of them says, and what it may define."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import mujoco

from ..records import Capability, Function
from .instance import Instance
from .plugin_attribute import Attribute, Value


class EnginePlugin:
    """A plugin of MuJoCo's engine; derive from it and `register` the class.

    Attributes of the class that are `Attribute` are those of `<config>`. The functions without
    `self` are compiled, as static methods; they get the instance's parameters as a record.
    """

    name: ClassVar[str]
    """The name by which models ask for it, globally unique: ``my_package.motor``."""
    capabilities: ClassVar[Capability]
    stage: ClassVar[mujoco.mjtStage] = mujoco.mjtStage.mjSTAGE_NONE
    """The stage that a sensor needs: it is computed after that stage."""
    attributes: ClassVar[Mapping[str, Attribute]] = {}
    """The attributes of the class by name, in their order."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Attribute)}
        cls.attributes = {**cls.attributes, **own}

    @classmethod
    def state_size(cls, config: Mapping[str, Value], instance: Instance) -> int:
        """How many numbers of `data.plugin_state` an instance has."""
        return 0

    @classmethod
    def sensor_size(cls, config: Mapping[str, Value], instance: Instance, sensor: int) -> int:
        """How many numbers a sensor of this id has."""
        return 1

    @classmethod
    def parameters(cls, config: Mapping[str, Value], instance: Instance) -> dict[str, Any]:
        """Numbers and arrays of them, for the record that the compiled functions get.

        Python, once for each instance and mjData. Raises ValueError for a configuration that
        makes no sense.
        """
        return _numbers(config)

    @classmethod
    def shape(cls, config: Mapping[str, Value]) -> dict[str, Any]:
        """Numbers and arrays for functions of a signed distance field, which know no instance."""
        return _numbers(config)

    @classmethod
    def bounds(cls, config: Mapping[str, Value]) -> Sequence[float]:
        """The box of a signed distance field, in metres.

        Its half sizes about the origin, or its centre and its half sizes.
        """
        raise NotImplementedError

    @classmethod
    def functions(cls) -> dict[Function, Any]:
        """The compiled functions that the class defines."""
        return {f: getattr(cls, f.method) for f in Function if hasattr(cls, f.method)}


def _numbers(config: Mapping[str, Value]) -> dict[str, Any]:
    return {name: value for name, value in config.items() if not isinstance(value, str)}
