"""The configuration that a plugin's class specifies, and the resulting `self.config`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from mujoco_ros_py.errors import ConfigError, PluginError
from mujoco_ros_py.plugins import MujocoPlugin
from mujoco_ros_py.plugins.host.plugin_configuration import config_class, configuration

C = TypeVar('C')


@dataclass(frozen=True)
class Config:
    gain: float = 1.0


@dataclass(frozen=True)
class Other:
    speed: float = 2.0


class Plain(MujocoPlugin):
    """Receives a mapping."""


class Named(MujocoPlugin[Config]):
    """Specifies its configuration."""


class Derived(Named):
    """Inherits the configuration of its base."""


class Generic(MujocoPlugin[C]):
    """Leaves the configuration to derived classes."""


class Filled(Generic[Other]):
    """Fills in the configuration of its generic base."""


class AsMapping(MujocoPlugin[Mapping[str, Any]]):
    """Asks for the configuration as written."""


@pytest.mark.parametrize(
    ('plugin', 'expected'),
    [
        (Plain, None),
        (Named, Config),
        (Derived, Config),
        (Generic, None),
        (Filled, Other),
        (AsMapping, None),
    ],
)
def test_the_class_says_what_it_is_configured_by(plugin, expected):
    assert config_class(plugin) is expected


def test_a_dataclass_is_read_strictly_and_a_mapping_is_what_was_written():
    assert configuration(Derived, {'gain': 2}) == Config(gain=2.0)
    written = {'anything': [1, 'x']}
    assert configuration(Plain, written) is written
    with pytest.raises(ConfigError, match="unknown parameter 'gian'"):
        configuration(Named, {'gian': 2})


def test_a_configuration_that_could_be_changed_is_refused():
    @dataclass
    class Loose:
        gain: float = 1.0

    class Wrong(MujocoPlugin[Loose]):
        pass

    class NoDataclass(MujocoPlugin[int]):
        pass

    with pytest.raises(PluginError, match='Loose must be a frozen dataclass'):
        config_class(Wrong)
    with pytest.raises(PluginError, match='int must be a frozen dataclass'):
        config_class(NoDataclass)
