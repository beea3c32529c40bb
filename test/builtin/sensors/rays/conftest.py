"""The fixtures of compound sensors, which Range uses too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')

from builtin.sensors.compound.conftest import domain, load_sensor, new_keeper, serve

__all__ = ['domain', 'load_sensor', 'new_keeper', 'serve']


@pytest.fixture
def measured(sense: Any) -> Callable[..., list[Any]]:
    """`measured(xml, kind, message, *configs)`: the sensor messages of a server after a step."""

    def measure(xml: str, kind: str, message: Any, *configs: dict[str, Any]) -> list[Any]:
        given = {'type': f'mujoco_ros_py/{kind}', 'update_rate': 500.0}
        plugins = [{**given, 'name': f's{k}', **config} for k, config in enumerate(configs)]
        sensing = sense(xml, *plugins)
        heard = sensing.hear_all({f'/{each["name"]}': message for each in plugins}, 500.0)
        sensing.step(1)
        return [each.last for each in heard]

    return measure
