"""Publishes the state of the simulation and of each plugin on /diagnostics, and logs a line."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node

from ...config.wording import printable
from ...plugins.host import HostedPlugin, PluginState, diagnostics_of
from ...plugins.topic_qos import STATES
from ...session import Assembly
from ...simulation import (
    STANDSTILL_S,
    Lateness,
    RealtimeMeter,
    RepeatingThread,
    Simulation,
    Status,
)

_log = logging.getLogger(__name__)

_PERIOD_S = 1.0


class DiagnosticsPublisher:
    """Publishes once a second, and logs a line every `report_interval_s` seconds (0: never).

    Uses its own threads, because it reports on all other threads.
    """

    def __init__(self, node: Node, assembly: Assembly, report_interval_s: float) -> None:
        self._node, self._assembly = node, assembly
        self._meter = RealtimeMeter(assembly.simulation)
        self.factor = 0.0
        """The latest measured real-time factor."""
        self._log_meter = RealtimeMeter(assembly.simulation)
        self._lateness = assembly.simulation.lateness_meter()
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', STATES)
        self._own_threads = [RepeatingThread('diagnostics', _regularly(_PERIOD_S, self.publish))]
        if report_interval_s > 0:
            reporting = _regularly(report_interval_s, self.report)
            self._own_threads.append(RepeatingThread('report', reporting))

    def start(self) -> None:
        """Starts the threads."""
        for thread in self._own_threads:
            thread.start()

    def close(self) -> None:
        """Ends the threads."""
        for thread in self._own_threads:
            thread.close()

    def publish(self) -> None:
        """Publishes the status of the simulation, of the threads and of each plugin."""
        message = DiagnosticArray()
        message.header.stamp = self._node.get_clock().now().to_msg()
        name, status = self._node.get_fully_qualified_name(), self._assembly.simulation.status()
        message.status = [self._simulation(f'{name}: simulation', status)]
        message.status.append(self._threads(f'{name}: threads'))
        message.status += [
            self._plugin(f'{name}: plugin {hosted.name}', hosted)
            for hosted in self._assembly.host.plugins
        ]
        self._publisher.publish(message)

    def report(self) -> None:
        """Logs one line for users who watch the console."""
        status = self._assembly.simulation.status()
        factor = self._log_meter.measure(status)
        state = 'failed' if status.failure else 'paused' if status.paused else 'running'
        asked = 'unthrottled' if status.realtime < 0 else f'asked {status.realtime:g}'
        line = f'{state}: t = {status.time:.3f} s, real-time factor {factor:.2f} ({asked})'
        plugins = '; '.join(self._short(hosted) for hosted in self._assembly.host.plugins)
        _log.info('%s, %d steps%s', line, status.steps, f' | {plugins}' if plugins else '')

    def _simulation(self, name: str, status: Status) -> DiagnosticStatus:
        level, text = DiagnosticStatus.OK, 'paused' if status.paused else 'running'
        stuck = [s for s in self._assembly.threads.standing() if s.thread == Simulation.name]
        if status.failure:
            level, text = DiagnosticStatus.ERROR, status.failure
        elif stuck:
            level, text = DiagnosticStatus.ERROR, str(stuck[0])
        elif status.warnings:
            level, text = DiagnosticStatus.WARN, f'MuJoCo warns: {status.latest_warning}'
        elif self._assembly.host.unregistered:
            level, text = DiagnosticStatus.WARN, f'{text}, but a plugin was not registered'
        self.factor = self._meter.measure(status)
        ready, configured = self._assembly.host.counts
        values = {
            'time': f'{status.time:.6f}',
            'steps': status.steps,
            'real-time factor set': status.realtime,
            'real-time factor measured': f'{self.factor:.3f}',
            **_in_microseconds(self._lateness.measure()),
            'scheduling': self._assembly.simulation.scheduling(),
            'paused': status.paused,
            'loads': status.loads,
            'reloads': max(0, status.loads - 1),
            'resets': status.resets,
            'warnings': status.warnings,
            'messages left out': self._assembly.simulation.exchange.left_out,
            'plugins configured': configured,
            'plugins not registered': '; '.join(self._assembly.host.unregistered) or 'none',
            'plugins ready': ready,
        }
        return _status(level, name, text, values)

    def _threads(self, name: str) -> DiagnosticStatus:
        """Returns the status of the threads that the whole server depends on."""
        threads = self._assembly.threads
        standing = {standstill.thread: str(standstill) for standstill in threads.standing()}
        wrong = [*standing.values(), *threads.faults()]
        level = DiagnosticStatus.ERROR if wrong else DiagnosticStatus.OK
        values = {thread: standing.get(thread, 'running') for thread in threads.names}
        return _status(level, name, '; '.join(wrong) or 'all running', values)

    def _plugin(self, name: str, hosted: HostedPlugin) -> DiagnosticStatus:
        blocking = self._blocking(hosted)
        wrong = blocking or hosted.state in (PluginState.REFUSED, PluginState.FAILED)
        level = DiagnosticStatus.ERROR if wrong else DiagnosticStatus.OK
        reason = '; '.join(filter(None, [hosted.reason, *blocking]))
        text = f'{hosted.state.value}: {reason}' if reason else hosted.state.value
        values = {'type': hosted.config.type, 'state': hosted.state.value}
        values['load time (s)'] = f'{hosted.load_time_s:.6f}'
        if hosted.reset_time_s is not None:
            values['reset time (s)'] = f'{hosted.reset_time_s:.6f}'
        for method, cost in hosted.costs_ns().items():
            values[f'{method} mean (us)'] = f'{cost / 1e3:.3f}'
        values.update(diagnostics_of(hosted))
        return _status(level, name, text, values)

    def _blocking(self, hosted: HostedPlugin) -> list[str]:
        """Returns a message for each function of the plugin that does not return."""
        now, name = time.monotonic(), hosted.owner.name
        busy = {each.what: each.since for each in hosted.owner.busy(STANDSTILL_S)}
        for standstill in self._assembly.threads.standing():
            what, of, owner = standstill.doing.rpartition(' of ')
            if of and owner == name:
                busy.setdefault(what, standstill.since)
        return [f'{what} has not returned for {now - since:.1f} s' for what, since in busy.items()]

    def _short(self, hosted: HostedPlugin) -> str:
        costs = [
            f'{method.removesuffix("_callback")} {cost / 1e3:.2f} us'
            for method, cost in hosted.costs_ns().items()
        ]
        return f'{hosted.name} {hosted.state.value}{": " if costs else ""}{", ".join(costs)}'


def _in_microseconds(lateness: Lateness | None) -> dict[str, str]:
    """Returns the values of the lateness; each is 'none' if no step was paced."""
    told = {
        'lateness p50 (us)': lateness and lateness.p50_us,
        'lateness p99 (us)': lateness and lateness.p99_us,
        'lateness p99.9 (us)': lateness and lateness.p99_9_us,
        'lateness max (us)': lateness and lateness.max_us,
    }
    return {key: 'none' if value is None else f'{value:.1f}' for key, value in told.items()}


def _regularly(period_s: float, function: Callable[[], None]) -> Callable[[], float]:
    """Wraps a function for a RepeatingThread, which then calls it once per period."""

    def call() -> float:
        due = time.monotonic() + period_s
        function()
        return max(0.0, due - time.monotonic())

    return call


def _status(level: bytes, name: str, text: str, values: dict[str, Any]) -> DiagnosticStatus:
    pairs = [KeyValue(key=key, value=printable(str(value))) for key, value in values.items()]
    return DiagnosticStatus(
        level=level,
        name=printable(name),
        message=printable(text),
        hardware_id='mujoco',
        values=pairs,
    )
