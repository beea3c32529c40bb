"""Starts the viewers that the parameters of a server ask for, and announces their address."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from rclpy.node import Node
from rclpy.parameter import Parameter

from ..errors import ConfigError, ViewerError
from ..session import Assembly
from .parameters.server_parameters import Parameters

if TYPE_CHECKING:
    from ..viewer import BrowserViewer, WindowViewer

_log = logging.getLogger(__name__)


def server_viewers(
    node: Node, assembly: Assembly, parameters: Parameters
) -> list[BrowserViewer | WindowViewer]:
    """Returns the viewers that the parameters ask for, except viewers that cannot run here."""
    config = parameters.config
    if config.viewer == 'none' and config.headless:
        return []
    # Imported only when needed: most servers have no viewer.
    from ..viewer import BrowserViewer, ServerCommands, ShownSimulation, WindowViewer

    def set_realtime(factor: float) -> None:
        result = node.set_parameters_atomically([Parameter('realtime', value=factor)])
        if not result.successful:
            raise ConfigError(result.reason)

    commands = ServerCommands(
        require=parameters.authorization.require,
        set_realtime=set_realtime,
    )
    title = node.get_fully_qualified_name()
    viewers: list[BrowserViewer | WindowViewer] = []
    if config.viewer != 'none':
        try:
            shown = ShownSimulation(assembly, commands)
            viewers.append(BrowserViewer(shown, _announce, port=config.viewer_port, title=title))
        except ViewerError as error:
            _log.error('%s; the simulation runs without it', error)
    if not config.headless:
        try:
            viewers.append(WindowViewer(ShownSimulation(assembly, commands), title=title))
        except ViewerError as error:
            _log.warning('headless: false: %s; the simulation runs without it', error)
    return viewers


def _announce(address: str) -> None:
    """Prints the viewer's address; the log, which is also a topic, must not contain the token."""
    _log.info('the viewer is ready; its address is printed on the console')
    print(f'viewer: {address}', file=sys.stderr, flush=True)
