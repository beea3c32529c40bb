"""The content of the server's session, from its parameters."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from rclpy.node import Node

from ...config import ServerConfig, read_list
from ...errors import ConfigError
from ...plugins.host import HostedPlugin
from ...session import Entity, Plugins, model_source
from ...simulation import InitialState, ModelSource
from .listed_plugins import registered
from .plugin_search import find_plugins
from .server_parameters import Parameters


class ParameterContent:
    """Provides the content of the server's session; each load reads the parameters again."""

    def __init__(
        self, node: Node, parameters: Parameters, added: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """`added` are structs of plugins that follow those of `MujocoPlugins` in each load."""
        self._node = node
        self._added = read_list(list(added), 'added plugins')
        self._parameters = parameters
        self._since = time.monotonic()
        self._listed: object = ''
        """The value of `MujocoPlugins` with which the last load was made; empty if none."""
        self._found: object = ''
        """The value for the load or change under way."""

    @property
    def config(self) -> ServerConfig:
        """The parameters that have fixed names."""
        return self._parameters.config

    def source(self) -> ModelSource:
        """Returns the source that `modelfile` or `mujoco_xml` names."""
        return model_source(self.config)

    def initial(self) -> InitialState:
        """Returns the initial joint states."""
        return self._parameters.initial_state()

    def plugins(
        self, cameras: bool, entities: Sequence[Entity] = (), *, anew: bool = False
    ) -> Plugins:
        """Returns the plugins of `MujocoPlugins`, wherever that is found, and automatic ones.

        Raises ConfigError, with `strict`, if it was found at the last load and is not there.
        """
        self._found, missing = self._listed, ''
        if anew:
            found, missing = find_plugins(self._node, self._parameters, self._since)
            self._found = found or ''
        if missing and self._listed and self.config.strict:
            raise ConfigError(f'strict is true, and there is {missing}')
        configs, refusals = registered(
            self._found, self._parameters, cameras, entities, self._added
        )
        return Plugins(configs=configs, refusals=refusals, missing=missing)

    def loaded(self, plugins: Sequence[HostedPlugin]) -> None:
        """Describes the configuration of these plugins by parameters from now on."""
        self._listed = self._found
        self._parameters.adopt(plugins)
        self._parameters.declare_empty_plugins()
