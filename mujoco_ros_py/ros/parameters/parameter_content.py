"""What the server runs, as its parameters say now."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rclpy.node import Node

from ...config import ServerConfig
from ...plugins import HostedPlugin
from ...session import Plugins, model_source
from ...simulation import InitialState, ModelSource
from .listed_plugins import registered
from .server_parameters import Parameters


class ParameterContent:
    """The content of the server's session; each load reads the parameters again."""

    def __init__(self, node: Node, parameters: Parameters) -> None:
        self._node = node
        self._parameters = parameters
        self._since = time.monotonic()

    @property
    def config(self) -> ServerConfig:
        """The parameters with fixed names."""
        return self._parameters.config

    def source(self) -> ModelSource:
        """The model that `modelfile` or `mujoco_xml` names."""
        return model_source(self.config)

    def initial(self) -> InitialState:
        """The initial joint states."""
        return self._parameters.initial_state()

    def plugins(self, cameras: bool) -> Plugins:
        """The plugins of `MujocoPlugins`, wherever that is found, and one that makes images."""
        configs, refusals = registered(self._node, self._parameters, self._since, cameras)
        return Plugins(configs=configs, refusals=refusals)

    def loaded(self, plugins: Sequence[HostedPlugin]) -> None:
        """Their configuration is described by parameters from now on."""
        self._parameters.adopt(plugins)
        self._parameters.declare_empty_plugins()
