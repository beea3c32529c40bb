"""Lists the models that can be spawned; the log names each of the others."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import Mock

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from mujoco_ros_py.config import ServerConfig
from mujoco_ros_py.errors import ModelError
from mujoco_ros_py.ros.simulation_interfaces.spawnables import _Catalogue


def test_every_model_that_cannot_be_spawned_is_in_the_log(tmp_path, caplog):
    names = 'bolt.xml', 'nut.xml'
    for name in names:
        (tmp_path / name).write_text('<mujoco/>')
    broken = Mock(entity_model_here=Mock(side_effect=ModelError('broken')))
    offered = Mock(parameters=SimpleNamespace(config=ServerConfig()), assembly=broken)
    catalogue = _Catalogue(offered)
    for _ in range(2):
        said = [f'{tmp_path}/{name} cannot be spawned: broken' for name in names]
        assert catalogue.find([str(tmp_path)]) == said
    for name in names:
        assert caplog.text.count(f'{name} cannot be spawned: broken') == 1
