"""The table of sensors names no type that the installed MuJoCo lacks."""

from __future__ import annotations

import importlib.util
import sys
from types import SimpleNamespace

import mujoco
import pytest

from mujoco_ros_py.builtin.sensors.named import sensor_kinds

NEW = ['CONTACT', 'TACTILE', 'INSIDESITE', 'TENDONACTFRC']
"""Types that some older versions lack."""


@pytest.mark.parametrize('lacking', [[], NEW])
def test_the_table_has_only_the_types_that_there_are(monkeypatch, lacking):
    known = {
        name: number
        for name, number in mujoco.mjtSensor.__members__.items()
        if name.removeprefix('mjSENS_') not in lacking
    }
    monkeypatch.setattr(mujoco, 'mjtSensor', SimpleNamespace(__members__=known))
    spec = importlib.util.find_spec(sensor_kinds.__name__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    tables = [value for value in vars(module).values() if isinstance(value, frozenset)]
    named = set().union(*tables)
    assert named <= set(map(int, known.values()))
    assert len(named) > 40
