"""The server: a node with a simulation, services and topics of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any

from ..config import ServerConfig
from ..config.wording import shell_command
from ..errors import SimulationError
from ..processes import Worker
from ..session import Assembly
from ..simulation import Listener, Lockstep, SavedState
from .entities.node_connection import NodeConnection
from .entities.node_keeper import NodeKeeper
from .neighbour_nodes import NeighbourNodes
from .node_process import ExecutorHeartbeat
from .parameters.changes import ParameterRequests
from .parameters.content import ParameterContent
from .parameters.server_parameters import Parameters
from .services.deferred import DeferredServices, withdraw
from .services.of_server import offer_server_services
from .services.offered import OfferedServices
from .topics.clock_publisher import ClockPublisher
from .topics.diagnostics import DiagnosticsPublisher
from .viewer_of_server import server_viewers

if TYPE_CHECKING:
    from .original.interface import OriginalInterface
    from .simulation_interfaces.interface import StandardInterface

_log = logging.getLogger(__name__)

_USUAL_NAME = '/mujoco_server'
"""The node name that the client commands use by default."""
_SMALL_MODEL_S = 0.2
"""How long `start` waits for the model before it offers the interfaces' services, in seconds."""
_ANSWERS_S = 0.3
"""How long `close` waits until responses are sent, in seconds."""


class Server(Listener):
    """Owns everything on the node, and runs from `start` to `close`.

    `on_end()` is called, on any thread, when the server is about to end by itself: after the
    service `~/shutdown`, or after `num_steps`.
    """

    def __init__(
        self,
        keeper: NodeKeeper,
        on_end: Callable[[], None],
        worker: Worker | None = None,
        begin: SavedState | None = None,
        added: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """`worker` is an already started process that compiles models, or None.

        `begin` is a saved state to start from; clients can restore it under the name `begin`.
        `added` are the configurations of plugins that are appended to `MujocoPlugins`.
        """
        self.node = node = keeper.node
        self.parameters = Parameters(node)
        ParameterRequests(node, self.parameters)
        config = self.parameters.config
        self.assembly = Assembly(
            ParameterContent(node, self.parameters, added),
            listener=self,
            ros=NodeConnection(
                keeper,
                by_rcl=config.compiled_topics,
                lockstep_topics=map(node.resolve_topic_name, config.lockstep_topics),
            ),
            lockstep=_lockstep(config),
            worker=worker,
            protected=config.eval_mode,
            noise_secret=self.parameters.authorization.noise_secret(),
            begin=begin,
        )
        self.simulation = self.assembly.simulation
        self.parameters.on_realtime = self.simulation.set_realtime
        self.parameters.of_plugins.configure = self.assembly.configured
        self._on_end = on_end
        self._clock = ClockPublisher(
            node, self.simulation, config.clock_rate, by_rcl=config.compiled_topics
        )
        self.threads = self.assembly.threads
        needs = self.simulation.exchange.clock_needs
        self.threads.report(lambda: needs.look(self.simulation.status()))
        self.threads.watch(self._clock, ExecutorHeartbeat(node))
        NeighbourNodes(node, self._clock.topic)
        self.diagnostics = DiagnosticsPublisher(node, self.assembly, config.report_interval)
        self._services = DeferredServices(node, self.assembly.busy)
        self._offered = OfferedServices(node, self._services, self.assembly, self.parameters)
        offer_server_services(self._offered, self.shut_down)
        self._keeper, self._begin = keeper, begin
        self._interfaces: list[StandardInterface | OriginalInterface] = []
        self._viewers = server_viewers(node, self.assembly, self.parameters)

    def start(self) -> Future[list[str]]:
        """Loads the model and the plugins, and offers the services of the interfaces.

        The future is done when the simulation runs or is paused. A small model is loaded before
        the services are offered: both compete for the GIL, so running them in parallel saves
        nothing.
        """
        self.diagnostics.start()
        started = self.assembly.start()
        started.add_done_callback(self._publish)
        wait([started], _SMALL_MODEL_S)
        try:
            self._offer_interfaces()
        except BaseException:
            self.close()
            raise
        return started

    def shut_down(self) -> Future[None]:
        """Unloads the plugins, ends the simulation, and then ends the server."""
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()

        def end() -> None:
            if self.assembly.end():
                done.set_result(None)
            else:
                done.set_exception(SimulationError('not every plugin was unloaded in time'))
            self._on_end()

        threading.Thread(target=end, name='shutdown', daemon=True).start()
        return done

    def close(self) -> bool:
        """Unloads the plugins and ends everything; returns whether this was done in time."""
        self._clock.close()
        self.diagnostics.close()
        for interface in self._interfaces:
            interface.close()
        for viewer in self._viewers:
            viewer.close()
        ended = self.assembly.close()
        if ended:  # otherwise the physics thread may still publish the time
            self._clock.release()
        self._services.flush(_ANSWERS_S)
        return ended

    def withdraw(self) -> None:
        """Answers the last requests and ends the services, after the executor has stopped."""
        withdraw(self.node, self._services)

    def on_time_jump(self, time_s: float) -> None:
        """Publishes the time immediately."""
        self._clock.publish_now()

    def on_standstill(self) -> None:
        """Publishes the time, so clients have it before the response to their pause or step."""
        self._clock.publish_now()

    def on_finished(self) -> None:
        """Ends the server after `num_steps`."""
        _log.info('%d steps made', self.simulation.status().steps)
        self._on_end()

    def _offer_interfaces(self) -> None:
        """Offers the many services with types of other packages.

        Importing their modules takes as long as loading a small model, so they are imported only
        here, after the load has begun.
        """
        from .original.interface import OriginalInterface
        from .simulation_interfaces.interface import StandardInterface
        from .states.interface import offer_states

        keeper, offered = self._keeper, self._offered
        self._interfaces.append(StandardInterface(keeper, offered, self.shut_down))
        self._interfaces.append(
            OriginalInterface(keeper, offered, lambda: self.diagnostics.factor)
        )
        offer_states(offered, self._begin)

    def _publish(self, started: Future[list[str]]) -> None:
        if started.exception() is not None:
            return
        self._clock.start()
        for viewer in self._viewers:
            viewer.start()
        if self.parameters.config.report_interval > 0:
            name = self.node.get_fully_qualified_name()
            for words in (
                ('call', 'set_pause', "'{data: true}'"),
                ('call', 'reset'),
                ('set', 'realtime', '0.5'),
            ):
                _log.info(
                    'a command for this server: %s',
                    shell_command(words[0], *_of_node(name), *words[1:]),
                )


def _lockstep(config: ServerConfig) -> Lockstep | None:
    """Returns the lockstep that the parameters configure; None if the period is 0."""
    if not config.lockstep_period:
        return None
    return Lockstep(
        period_s=config.lockstep_period,
        timeout_s=config.lockstep_timeout,
        by_arrival=config.lockstep_match == 'arrival',
        goes_on=config.lockstep_on_timeout == 'continue',
    )


def _of_node(name: str) -> tuple[str, ...]:
    """Returns the options that client commands need to reach a server with this name."""
    return () if name == _USUAL_NAME else ('--node', name)
