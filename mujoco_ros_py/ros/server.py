"""The server: a node, a simulation, its plugins, and how they start, reload and end."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

from rclpy.node import Node

from ..config import ServerConfig
from ..config.wording import shell_command
from ..engine import guard_bindings
from ..engine.resources import allow_hosts, register_shipped
from ..errors import EndedError, RenderingError, SimulationError
from ..isolation import Worker
from ..plugins import Environment, HostedPlugin, PluginHost
from ..plugins.engine_plugins import compile_with_plugins, switch_on
from ..rendering import RenderLoop
from ..simulation import (
    InitialState,
    Listener,
    ModelCompiler,
    ModelSource,
    Simulation,
    SnapshotFeed,
    compile_model,
)
from .client import SERVER
from .clock import ClockPublisher
from .deferred import PATIENCE_S
from .diagnostics import DiagnosticsPublisher
from .joint_states import JointStatePublisher
from .last_requests import withdraw
from .memory import give_back
from .model_source import model_source
from .neighbours import Neighbours
from .parameter_requests import ParameterRequests
from .parameters import Parameters
from .registration import registered
from .reloads import Reloads
from .services import create_services
from .settings import model_limits, render_options
from .threads import ExecutorPulse, Threads

_log = logging.getLogger(__name__)

_UNLOAD_S = 1.5
"""How long the end waits for the plugins."""
_RENDER_S = 0.3
"""How long it waits for the render thread, whatever the plugins took."""
_ANSWERS_S = 0.3
"""How long the end waits for answers to be sent."""


class Server(Listener):
    """Owns everything that is on the node. `start`, then `close`; between them it runs by itself.

    `on_end()` is called, on any thread, when the server wants to end by itself: by the shutdown
    service, or after the number of steps that was asked for.
    """

    def __init__(
        self, node: Node, on_end: Callable[[], None], worker: Worker | None = None
    ) -> None:
        """`worker`: a process for models (`ModelCompiler.TASK`), if one has been started."""
        self.node = node
        self._since = time.monotonic()
        guard_bindings()
        register_shipped()
        self.parameters = Parameters(node)
        ParameterRequests(node, self.parameters)
        config = self.parameters.config
        self.simulation = Simulation(
            paused=not config.unpause,
            realtime=config.realtime,
            busy_wait_s=config.busy_wait,
            num_steps=config.num_steps,
            listener=self,
        )
        self.parameters.on_realtime = self.simulation.set_realtime
        self.parameters.of_plugins.on_change = self._configure
        self._feed = SnapshotFeed(self.simulation, config.clock_rate)
        self._rendering = RenderLoop(self.simulation, render_options(config))
        self._renders: bool | None = None
        """Whether there is OpenGL; not known before a model has cameras."""
        self.host = PluginHost([], node, self._new_environment())
        self._on_end = on_end
        self._reloads = Reloads(node, self._reload)
        self._compiler = (
            ModelCompiler(model_limits(config), worker) if config.model_guard else None
        )
        if worker is not None and self._compiler is None:
            worker.close()
        self._end = float('inf')
        """When the plugins must be unloaded, on the monotonic clock."""
        self._clock = ClockPublisher(node, self.simulation, config.clock_rate)
        self._publishers = self._clock, self._feed
        self.threads = Threads(
            [self.simulation, self._clock, self._feed, self._rendering, ExecutorPulse(node)]
        )
        if config.joint_states_rate > 0:
            rate = config.joint_states_rate
            JointStatePublisher(node, self._feed, rate, self.threads.owner)
        Neighbours(node, self._clock.topic)
        self.diagnostics = DiagnosticsPublisher(self)
        self._services = create_services(node, self)
        if not config.headless:
            _log.warning('headless: false has no effect, there is no viewer yet')

    def start(self) -> Future[list[str]]:
        """Loads model and plugins; done when the simulation runs (or waits, if paused)."""
        self.simulation.start()
        self._reloads.start()
        self.threads.start()
        self.diagnostics.start()
        started = self.reload()
        started.add_done_callback(self._publish)
        return started

    def reload(self) -> Future[list[str]]:
        """Reads model and plugins again; if either cannot be read, what runs goes on untouched.

        One reload after the other, on a thread of their own.
        """
        return self._reloads.submit()

    def shut_down(self) -> Future[None]:
        """Ends the simulation, its plugins unloaded, and then the server."""
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()

        def end() -> None:
            if self._end_simulation():
                done.set_result(None)
            else:
                done.set_exception(SimulationError('not every plugin was unloaded in time'))
            self._on_end()

        threading.Thread(target=end, name='shutdown', daemon=True).start()
        return done

    def close(self) -> bool:
        """Ends everything, plugins unloaded; False if the physics thread did not end in time."""
        self.threads.close()
        for publisher in (*self._publishers, self.diagnostics):
            publisher.close()
        ended = self._end_simulation()
        self._services.flush(_ANSWERS_S)
        return ended

    def withdraw(self) -> None:
        """Once nobody spins the node any more: answers who has asked, and ends the services."""
        withdraw(self.node, self._services)

    def busy(self) -> str:
        """Why a command was not taken up."""
        return f'the physics thread is busy ({self._activity()}); nothing was done'

    def _activity(self) -> str:
        return f'in {self.simulation.doing()}'

    def on_time_jump(self, time_s: float) -> None:
        """Physics thread: /clock tells at once."""
        self._clock.publish_now()

    def on_standstill(self) -> None:
        """Physics thread: /clock tells where, before the caller has its answer."""
        self._clock.publish_now()

    def on_finished(self) -> None:
        """Physics thread: num_steps have been made."""
        _log.info('%d steps made', self.simulation.status().steps)
        self._on_end()

    def _publish(self, started: Future[list[str]]) -> None:
        if started.exception() is not None:
            return
        for publisher in self._publishers:
            publisher.start()
        if self.parameters.config.report_interval > 0:
            name = self.node.get_fully_qualified_name()
            for words in (
                ('call', 'set_pause', "'{data: true}'"),
                ('call', 'reset'),
                ('set', 'realtime', '0.5'),
            ):
                _log.info('talk to it: %s', shell_command(words[0], *_of_node(name), *words[1:]))

    def _reload(self) -> list[str]:
        """Returns what there is to say of the plugins."""
        config = self.parameters.config
        allow_hosts(config.http_hosts)
        switch_on(config.engine_plugins, boundscheck=config.boundscheck)
        source = model_source(config)
        initial = self.parameters.initial_state()
        model = compile_with_plugins(source, lambda source: self._compile(source, initial))
        host = self._new_host(config, cameras=model.ncam > 0 and self._can_render())
        host.check()
        self._swap(model, host, initial, beside=config.strict)
        give_back()
        _log.info(
            'loaded %s: %d bodies, %d joints, %d actuators; %d of %d plugins ready',
            source.name, model.nbody, model.njnt, model.nu, host.loaded, len(host.configured),
        )  # fmt: skip
        return host.summary

    def _compile(self, source: ModelSource, initial: InitialState) -> Any:
        if self._compiler is None:
            return compile_model(source)
        return self._compiler.compile(source, initial)

    def _new_environment(self) -> Environment:
        config = self.parameters.config
        rendering = self._rendering if config.render_offscreen else None
        prefix, protected = config.frame_prefix, config.eval_mode
        return Environment(self.simulation, rendering, self._feed, prefix, protected)

    def _new_host(self, config: ServerConfig, cameras: bool) -> PluginHost:
        configs, refusals = registered(self.node, self.parameters, self._since, cameras)
        for refusal in refusals:
            _log.error('not registered: %s', refusal)
        host = PluginHost(
            configs,
            self.node,
            self._new_environment(),
            boundscheck=config.boundscheck,
            strict=config.strict,
        )
        host.unregistered = tuple(map(str, refusals))
        host.instantiate()
        return host

    def _can_render(self) -> bool:
        """Opens the context, once; without OpenGL the server goes on and says so once."""
        if self._renders is None:
            renders = self.parameters.config.render_offscreen
            try:
                if renders:
                    _log.info('rendering with %s', self._open_graphics())
            except RenderingError as error:
                renders = False
                _log.warning('running without cameras: %s', error)
            self._renders = renders  # not known while the physics thread is busy
        return self._renders

    def _open_graphics(self) -> str:
        """What draws; opened while nothing steps, as it holds the interpreter and a core."""
        opened = self.simulation.hold(self._rendering.graphics)
        self._await(opened)
        return opened.result().name

    def _swap(self, model: Any, host: PluginHost, initial: InitialState, beside: bool) -> None:
        if self._reloads.closed:
            raise EndedError('the server is shutting down')
        loaded = self.simulation.load(model, host, initial, beside=beside)
        self._await(loaded)
        loaded.result()
        self.host = host
        self.parameters.adopt(host.configured)
        self.parameters.declare_empty_plugins()

    def _configure(self, hosted: HostedPlugin, config: Any) -> None:
        """Executor: between the next two steps."""
        self.simulation.hold(lambda: self.host.configure(hosted, config))

    def _await(self, command: Future[Any]) -> None:
        """Raises SimulationError if the physics thread does not take it up."""
        if not wait([command], PATIENCE_S).done and command.cancel():
            raise SimulationError(self.busy())

    def _end_simulation(self) -> bool:
        self._reloads.close()
        if self._compiler is not None:
            self._compiler.close()
        self._end = min(self._end, time.monotonic() + _UNLOAD_S)
        ended = self.simulation.close(max(0.0, self._end - time.monotonic()))
        if not ended:
            _log.error('the plugins are not unloaded: the physics thread is %s', self._activity())
        left = max(_RENDER_S, self._end - time.monotonic())
        return self._rendering.close(left) and ended


def _of_node(name: str) -> tuple[str, ...]:
    """What the client must be told of a server with another name."""
    return () if name == SERVER else ('--node', name)
