"""A continued run has the recorded parameters."""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

pytest.importorskip('rclpy', reason='rclpy is not installed')

from mujoco_ros_py.ros.continued_run import _parameter_lines

VALUES = {
    'realtime': 0.5, 'huge': math.inf, 'least': -math.inf, 'list': [1.0, -math.inf],
    'text': 'a "b" é', 'flag': True, 'words': ['a', 'b'],
}  # fmt: skip


def test_all_values_are_read_back_as_they_were():
    recorded = {name: json.dumps(value) for name, value in {**VALUES, 'nan': math.nan}.items()}
    run = SimpleNamespace(path=Path('run.mcap'), about={'parameters': recorded})
    moment = SimpleNamespace(section=SimpleNamespace(plugins=[]))
    text = ''.join(_parameter_lines(run, moment, Path('/model.xml')))
    found = yaml.safe_load(text)['/**']['ros__parameters']
    assert {name: found[name] for name in VALUES} == VALUES
    assert math.isnan(found['nan'])
    assert found['modelfile'] == '/model.xml'
