"""Runs the physics loop with a model, and reacts when the loop returns.

Everything here is called on the physics thread, unless stated otherwise.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

import mujoco

from ..engine import (
    CallbackTable,
    Inlet,
    Loop,
    Outcome,
    SpareData,
    log_program_callbacks,
)
from ..errors import SimulationError
from .listener import Listener
from .lockstep import Lockstep
from .plugin_set import NoPlugins, PluginSet
from .prepared_model import PreparedModel
from .snapshots import SnapshotReceiver
from .solver_time import SolverTime
from .step_requests import StepRequests
from .warning_log import WarningLog, is_unstable

if TYPE_CHECKING:
    from .message_exchange import MessageExchange

_log = logging.getLogger(__name__)


class RunningModel:
    """A model and its data, with its plugins and the receivers of its snapshots."""

    def __init__(
        self,
        loop: Loop,
        listener: Listener,
        lockstep: Lockstep | None = None,
        *,
        ends_unstable: bool = False,
    ) -> None:
        self.loop = loop
        self._lockstep, self.ends_unstable = lockstep, ends_unstable
        if lockstep is not None:
            loop.inlets.lock(lockstep.period_s, lockstep.timeout_s, by_arrival=lockstep.by_arrival)
        self.listener = listener
        self.model: mujoco.MjModel | None = None
        self.data: mujoco.MjData | None = None
        self.prepared: PreparedModel | None = None
        """The result of preparing the model. Any thread may read this."""
        self.plugins: PluginSet = NoPlugins()
        self.steps = StepRequests(loop.record)
        self.warnings = WarningLog()
        self.failure = ''
        """The fatal error that stopped the simulation; empty if no error occurred."""
        self.solver_time = SolverTime()
        self.tells = True
        """Whether to log warnings and errors here; if not, the code that steps the model logs
        them."""
        self._receivers: list[SnapshotReceiver] = []
        self._ros_begin: float | None = None
        """The ROS time at which the epoch begins; None in the first epoch, which begins at the
        simulation time."""
        self._announced = False
        """Whether an epoch has been reported to the listener; before that, no stamps were
        published."""
        self.exchange: MessageExchange
        """The exchange of messages, which has copies of the data. Set by `Simulation`."""

    def loaded(self) -> tuple[mujoco.MjModel, mujoco.MjData]:
        """Returns the model and the data. Raises SimulationError while no model is loaded."""
        if self.model is None or self.data is None:
            raise SimulationError('no model is loaded')
        return self.model, self.data

    def adopt(self, prepared: PreparedModel, plugins: PluginSet) -> None:
        """Unloads the old plugins, and makes the loop step the new model."""
        self.unload()
        self._use(prepared, plugins)
        self.loop.adopt(prepared.model, prepared.data)
        self.prepared = prepared  # from here on, nothing keeps the old model alive

    def change(self, prepared: PreparedModel, plugins: PluginSet) -> None:
        """Unloads the old plugins; the loop continues with the data of another model.

        This data must already contain the old state. No epoch begins, and pending steps are still
        made.
        """
        self.plugins.unload()
        self._use(prepared, plugins)
        self.loop.adopt(prepared.model, prepared.data, goes_on=True)
        self.prepared = prepared

    def _use(self, prepared: PreparedModel, plugins: PluginSet) -> None:
        self.model, self.data, self.plugins = prepared.model, prepared.data, plugins
        if self.ends_unstable:
            self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET

    def renew_receivers(self) -> None:
        """Makes all receivers copy from the data of the new model."""
        model, data = self.loaded()
        for receiver in self._receivers:
            receiver.adopt(model, data)
        self.exchange.adopt(model, data)
        self.loop.spare = SpareData()

    @property
    def copies(self) -> int:
        """The number of copies of the data in receivers and rings. Any thread may read this."""
        return len(self._receivers) + self.exchange.copies

    def unload(self) -> None:
        """Unloads the plugins; the model stays."""
        self.steps.drop('the simulation was reloaded or ended')
        self.plugins.unload()
        if self.model is not None:
            self.loop.use(CallbackTable())
        self.plugins = NoPlugins()

    def close(self) -> None:
        """Unloads the plugins and frees the model."""
        self.unload()
        self.loop.release()
        self.model = self.data = None

    def start_over(self) -> None:
        """Begins an epoch with replaced data.

        Drops pending steps, and clears the failure and the warnings.
        """
        model, data = self.loaded()
        self.steps.drop('the simulation was reset')
        self._begin_epoch()
        self.failure = ''
        self.warnings.clear()
        data.warning.number[:] = 0  # otherwise MuJoCo would not repeat warnings of these kinds
        record = self.loop.record
        record.failed = 0
        if self._announced:
            # A new state must have a new stamp.
            self._ros_begin = record.ros_time + model.opt.timestep
        self.loop.begin_epoch(data.time, self._ros_begin)

    def announce(self) -> None:
        """Reports the start time of the epoch, which plugins may have set, to the listener."""
        _, data = self.loaded()
        self.loop.begin_epoch(data.time, self._ros_begin)
        self._announced = True
        self.listener.on_time_jump(data.time)

    def forward(self, *, callbacks: bool = True) -> None:
        """Runs a forward pass. A fatal error stops the simulation."""
        with self.solver_time:
            made = self.loop.forward(callbacks=callbacks)
        if not made:
            self.fail(self.loop.error())
        elif self.solver_time.ended:
            self.fail(self.solver_time.rule)

    def take_once(self, inlet: Inlet) -> None:
        """Reads the messages of an inlet. A fatal error stops the simulation."""
        self.loaded()
        if not self.loop.record.failed and not self.loop.take_once(inlet):
            self.fail(self.loop.error())

    def take_all(self) -> None:
        """Reads all waiting messages before a new epoch begins: they belong to the old one."""
        if self.data is not None and not self.loop.take_all():
            self.fail(self.loop.error())

    def forgive_lateness(self) -> None:
        """Makes an overdue step due now, which cancels the lateness.

        A step that is not yet due keeps its due time; otherwise, commands could make simulated
        time run ahead of wall time.
        """
        record = self.loop.record
        record.deadline_ns = max(record.deadline_ns, time.monotonic_ns())

    def new_receiver(self) -> SnapshotReceiver:
        """Creates a receiver of snapshots."""
        receiver = SnapshotReceiver(self.loop)
        if self.model is not None and self.data is not None:
            receiver.adopt(self.model, self.data)
        self._receivers.append(receiver)
        self.loop.serve(receiver.slot)
        return receiver

    def release(self, receiver: SnapshotReceiver) -> None:
        """Stops serving a receiver; its later requests are not answered."""
        if receiver in self._receivers:
            self._receivers.remove(receiver)
            self.loop.forget(receiver.slot)

    def renew(self, receiver: SnapshotReceiver) -> SnapshotReceiver:
        """Gives the receiver new memory, so that its earlier snapshots do not change."""
        if self.model is not None and self.data is not None:
            receiver.adopt(self.model, self.data)
        return receiver

    def run(self) -> None:
        """Runs the loop until it returns."""
        with self.solver_time:
            outcome = self.loop.run()
        if self.solver_time.ended:
            self.steps.drop(self.solver_time.rule)  # otherwise `report` would settle requests
        self.report(outcome)

    def report(self, outcome: Outcome) -> None:
        """Handles the reason why the loop returned. Errors of a listener do not end the thread."""
        try:
            self._handle(outcome)
        except BaseException as error:
            _log.exception('an event of the physics loop could not be handled')
            self.fail(f'{type(error).__name__}: {error}')

    def _handle(self, outcome: Outcome) -> None:
        """Handles the reason why the loop returned."""
        if outcome == Outcome.NOTICE:
            log_program_callbacks()
        for warning in self.loop.take_warnings():
            self._warn(warning)
        if outcome == Outcome.NOTICE and self.ends_unstable and is_unstable(self.loaded()[1]):
            self.listener.on_standstill()
            self.fail(f'it became unstable: {self.warnings.latest}')
        if self.loop.take_jump():
            self._begin_epoch()
            self.listener.on_time_jump(self.loop.record.time)
        if outcome == Outcome.AWAITED and self._lockstep is not None:
            self._await_no_more(self._lockstep)
        if outcome == Outcome.ERROR:
            try:
                self.listener.on_standstill()
            finally:
                self.fail(self.loop.error())
        made = self.steps.made
        if made or outcome == Outcome.FINISHED:
            # Before `settle`: if the listener raises, `fail` drops the requests.
            self.listener.on_standstill()
        self.steps.settle(made)
        if outcome == Outcome.FINISHED:
            self.loop.record.paused = 1
            self.steps.drop('num_steps has been reached')
            self.listener.on_finished()

    def _await_no_more(self, lockstep: Lockstep) -> None:
        """Logs which answers are missing, and then continues or pauses."""
        time_s, names = self.loop.record.time, ', '.join(self.loop.inlets.unanswered)
        end = 'continues without it' if lockstep.goes_on else 'is paused'
        _log.warning(
            'lockstep: received no answer to the state of %.6f s on %s within %g s;'
            ' the simulation %s',
            time_s, names, lockstep.timeout_s, end,
        )  # fmt: skip
        if lockstep.goes_on:
            self.loop.inlets.pass_period()
            return
        self.loop.record.paused = 1
        self.loop.inlets.await_again()
        self.steps.drop(f'received no answer on {names}')
        self.listener.on_standstill()

    def _begin_epoch(self) -> None:
        self.loop.record.epoch += 1
        for receiver in self._receivers:
            receiver.restart()

    def _warn(self, text: str) -> None:
        assert self.model is not None
        if 'Time = ' not in text:
            text = f'{text.removesuffix(".")}. Time = {self.loop.record.time:.4f}.'
        message = self.warnings.add(self.model, text)
        if message is not None:
            _log.log(_level(logging.WARNING, self.tells), 'MuJoCo warns: %s', message)

    def fail(self, text: str) -> None:
        """Stops the simulation. The data is undefined: nothing may use it before a reset."""
        record = self.loop.record
        running = self.loop.running
        where = '' if running is None else f', in {self.plugins.describe(running)}'
        self.failure = f'{text} (at time {record.time:.4f} s, step {record.steps}{where})'
        self.loop.forget_running()
        record.failed, record.paused = 1, 1
        self.steps.drop(self.failure)
        level = _level(logging.ERROR, self.tells)
        _log.log(level, 'the simulation stopped; reset or reload it: %s', self.failure)


def _level(level: int, tells: bool) -> int:
    return level if tells else logging.DEBUG
