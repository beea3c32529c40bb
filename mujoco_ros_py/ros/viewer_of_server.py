"""The viewer of a server: what the parameters ask for, and where its address is told."""

from __future__ import annotations

import logging
import sys

from rclpy.node import Node
from rclpy.parameter import Parameter

from ..errors import ConfigError, ViewerError
from ..session import Assembly
from ..viewer import BrowserViewer, ServerCommands
from .parameters.server_parameters import Parameters

_log = logging.getLogger(__name__)


def server_viewer(node: Node, assembly: Assembly, parameters: Parameters) -> BrowserViewer | None:
    """Returns the viewer that the parameters ask for; None: none, or it cannot be shown."""
    if parameters.config.viewer == 'none':
        return None

    def set_realtime(factor: float) -> None:
        result = node.set_parameters_atomically([Parameter('realtime', value=factor)])
        if not result.successful:
            raise ConfigError(result.reason)

    commands = ServerCommands(
        require=parameters.authorization.require,
        set_realtime=set_realtime,
    )
    try:
        return BrowserViewer(
            assembly,
            commands,
            _announce,
            port=parameters.config.viewer_port,
            title=node.get_fully_qualified_name(),
        )
    except ViewerError as error:
        _log.error('%s; the simulation runs without it', error)
        return None


def _announce(address: str) -> None:
    """Tells people where the viewer is; the log also goes to a topic, and gets no token."""
    _log.info('the viewer is ready; the console has its address')
    print(f'viewer: {address}', file=sys.stderr, flush=True)
