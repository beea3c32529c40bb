"""States with any numbers that a client sends are refused, or leave all plugins running."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import SimulationError

pytest.importorskip('rclpy', reason='rclpy is not installed')

from system.test_foreign_messages import PLUGINS, ROBOT

pytestmark = pytest.mark.slow

SENSORS = [
    {'type': 'EmergencyStop', 'name': 'stop'},
    {'type': 'Battery', 'name': 'battery', 'capacity': 10.0, 'voltage': 24.0},
    {'type': 'Imu', 'name': 'imu', 'site': 'middle'},
    {'type': 'Altimeter', 'name': 'altimeter', 'site': 'middle'},
    {'type': 'Sensors', 'name': 'sensors'},
]
FLOATS = cycle([math.nan, 1e308, -1.0, math.inf, -1e308, 0.0])
INTEGERS = cycle([2**31 - 1, -1, 7, -(2**31), 10**6, 0])
Path = tuple[Any, ...]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yields the path of each number and text in a part of a state."""
    if isinstance(value, Mapping):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, tuple | list):
        for index, each in enumerate(value):
            yield from places(each, (*path, index))
    elif isinstance(value, np.void | np.ndarray) and value.dtype.names:
        for name in value.dtype.names:
            yield from places(value[name], (*path, name))
    elif value is not None:
        yield path


def changed(value: Any, path: Path) -> Any:
    """Returns a part of a state with another value at a path."""
    if not path:
        return other(value)
    key, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        return {**value, key: changed(value[key], rest)}
    if isinstance(value, tuple | list):
        kept = [changed(each, rest) if k == key else each for k, each in enumerate(value)]
        return type(value)(kept)
    copied = value.copy()
    copied[key] = changed(value[key], rest)
    return copied


def other(value: Any) -> Any:
    """Returns another value of the same type and shape."""
    if isinstance(value, np.ndarray):
        return np.full_like(value, other(value.dtype.type()))
    if isinstance(value, bool | np.bool_):
        return not value
    if isinstance(value, float | np.floating):
        return type(value)(next(FLOATS))
    if isinstance(value, np.integer):
        return np.array(next(INTEGERS)).astype(value.dtype)[()]
    if isinstance(value, int):
        return next(INTEGERS)
    return 'x' * 1000 if isinstance(value, str) else value


ONCE_TAKEN_OUT = ('JointTrajectoryController', 'Battery')


@pytest.mark.parametrize(
    'kinds',
    [
        ONCE_TAKEN_OUT,
        pytest.param({each['type'] for each in (*PLUGINS, *SENSORS)}, marks=pytest.mark.nightly),
    ],
    ids=['some', 'all'],
)
def test_a_number_that_is_another_one_is_refused_or_leaves_all_plugins_in_place(serve, kinds):
    plugins = [
        {**each, 'type': f'mujoco_ros_py/{each["type"]}'}
        for each in (*PLUGINS, *SENSORS)
        if each['type'] in kinds
    ]
    server = serve(
        mujoco_xml=ROBOT, MujocoPlugins=json.dumps(plugins), unpause=False, model_guard=False
    )
    simulation, assembly = server.simulation, server.assembly
    assert assembly.host.refusals == []
    simulation.step(5).result(DEADLINE_S)
    saved = simulation.save().result(DEADLINE_S)
    refused, failed = 0, []
    for name, part in saved.plugins.items():
        for path in places(part):
            wrong = replace(saved, plugins={**saved.plugins, name: changed(part, path)})
            try:
                simulation.restore(wrong, checked=True).result(DEADLINE_S)
            except SimulationError:
                refused += 1
            simulation.step(2).result(DEADLINE_S)
            if refusals := assembly.host.refusals:
                failed.append((name, path, refusals))
                assembly.reload().result(DEADLINE_S)
    assert not failed
    assert refused
