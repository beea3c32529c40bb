"""The content of the server's session, from its parameters."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rclpy.node import Node

from ...config import ServerConfig
from ...plugins import HostedPlugin
from ...session import Entity, Plugins, model_source
from ...simulation import InitialState, ModelSource
from .listed_plugins import registered
from .plugin_search import find_plugins
from .server_parameters import Parameters


class ParameterContent:
    """Provides the content of the server's session; each load reads the parameters again."""

    def __init__(self, node: Node, parameters: Parameters) -> None:
        self._node = node
        self._parameters = parameters
        self._since = time.monotonic()
        self._listed: object = ''
        """The value of `MujocoPlugins` that was found for the last load."""
        self.on_loaded: Callable[[], object] = lambda: None
        """Is called when a load is done, on the thread of reloads."""

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
        """Returns the plugins of `MujocoPlugins`, wherever that is found, and automatic ones."""
        if anew:
            self._listed = find_plugins(self._node, self._parameters, self._since) or ''
        configs, refusals = registered(self._listed, self._parameters, cameras, entities)
        return Plugins(configs=configs, refusals=refusals)

    def loaded(self, plugins: Sequence[HostedPlugin]) -> None:
        """Describes the configuration of these plugins by parameters from now on."""
        self._parameters.adopt(plugins)
        self._parameters.declare_empty_plugins()
        self.on_loaded()
