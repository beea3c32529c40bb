"""The simulation: a physics thread that owns model and data, and its commands."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

import mujoco

from ..engine import Loop
from ..engine_faults import avoid_faults
from ..errors import EngineError, SimulationError
from ..mujoco_log import collecting
from .commanded_simulation import CommandedSimulation
from .listener import Listener
from .loan import Loan
from .lockstep import Lockstep
from .message_exchange import MessageExchange
from .models.initial_state import InitialState
from .physics_thread import PhysicsThread
from .plugin_set import NoPlugins, PluginSet
from .prepared_model import PreparedChange, PreparedModel, await_step, prepare, prepare_change
from .running_model import RunningModel
from .states.saved import SavedState, check_model
from .step_limit import StepLimit
from .threads.scheduling import Scheduling

Result = TypeVar('Result')
_log = logging.getLogger(__name__)
_NEVER_NS = 2**62
"""A time of the monotonic clock that is never reached."""


class Simulation(CommandedSimulation):
    """Steps one model at a time. Commands return futures and run in order, between two steps.

    Call `start`, then `load` a model, and `close` at the end. Any thread may call the methods.
    Plugins and the listener are called on the physics thread.
    """

    name = 'the physics'

    def __init__(
        self,
        *,
        paused: bool = False,
        realtime: float = 1.0,
        busy_wait_s: float = 1e-4,
        num_steps: int = -1,
        scheduling: Scheduling | None = None,
        idle: bool = True,
        listener: Listener | None = None,
        lockstep: Lockstep | None = None,
        ends_unstable: bool = False,
        step_time_limit_s: float = 0.0,
        command_limit: float = 0.0,
        threaded: bool = True,
        ros_time_continues: bool = False,
    ) -> None:
        """With `idle`, forward passes at 60 Hz keep the data up to date during a pause.

        With `ends_unstable`, an unstable simulation stops as after a fatal error; otherwise MuJoCo
        resets it. Controls and applied forces are limited to `command_limit`; 0: no limit. Steps
        that take longer than `step_time_limit_s` are given up if another thread calls
        `step_limit.look`. A simulation that is not `threaded` cannot be started; see
        `ThreadlessSimulation`. With `ros_time_continues`, ROS time advances by one timestep when
        an epoch begins; otherwise it equals the simulation time.
        """
        loop = Loop(waits=threaded)
        loop.command_limit = command_limit
        loop.record.continues = ros_time_continues
        running = RunningModel(loop, listener or Listener(), lockstep, ends_unstable=ends_unstable)
        super().__init__(running, PhysicsThread(running, scheduling or Scheduling()))
        self._record.paused = paused
        self._record.realtime = realtime
        self._record.spin_ns = int(busy_wait_s * 1e9)
        self._record.remaining = num_steps
        if not idle:
            self._record.forward_ns = _NEVER_NS
        self.step_limit = StepLimit(
            running, self._go_back, self._queue.submit, self._thread.ask_for_turn,
            step_time_limit_s,
        )  # fmt: skip
        self._thread.after_steps = self.step_limit.settle
        self.exchange = MessageExchange(self._running, self._queue.submit, self.at_once, lockstep)
        """Passes messages from subscriptions to compiled code, and from there to publishers."""
        self._running.exchange = self.exchange

    def start(self) -> None:
        """Starts the physics thread, which waits for a model.

        Raises ConfigError if the system does not permit the requested scheduling. Even then, the
        simulation must be closed.
        """
        self._thread.start()

    def close(self, timeout_s: float | None = None) -> bool:
        """Unloads the plugins and ends the thread; returns False if it did not end in time."""
        ended = self._thread.close(timeout_s)
        self._running.prepared = None  # frees the model and the data
        self.exchange.close()
        return ended

    def at_once(self, function: Callable[[], Result]) -> Result:
        """Calls a function between two steps, on the physics thread, and returns its result.

        If the calling thread owns the data (the physics thread, or a thread with a loan), it calls
        the function directly.
        """
        return function() if self._thread.has_turn else self._queue.submit(function).result()

    def between_steps(self, function: Callable[[], Result]) -> Future[Result]:
        """Calls a function on the physics thread between two steps, with or without a model.

        The function may take long and may start threads: it runs without the priority of the
        physics thread, and on all cores of the process.
        """

        def call() -> Result:
            with self._thread.unscheduled():
                return function()

        return self._queue.submit(call)

    def load(
        self,
        model: mujoco.MjModel,
        plugins: PluginSet | None = None,
        initial: InitialState | None = None,
        *,
        beside: bool = False,
        begin: SavedState | None = None,
    ) -> Future[list[str]]:
        """Replaces the model and the plugins; simulation time starts at 0.

        The result lists a message for each initial value that is skipped or does not fit. With
        `begin`, the model and the plugins start in this saved state, at its time, and the result
        lists the messages of `restore`.

        With `beside`, the new plugins are loaded before the old ones are unloaded. If a new plugin
        raises, nothing is replaced: the old model continues, and the future fails with the error.

        Raises ModelError, and replaces nothing, if the first forward pass fails, or if options or
        accelerations are not finite. Raises SimulationError if `begin` is the state of another
        model.
        """
        prepared = prepare(model, initial)
        if begin is not None:
            check_model(model, prepared.layout, begin)
        new = prepared, plugins or NoPlugins(), initial or InitialState()
        self._thread.bring_in(prepared.data)
        return self.between_steps(lambda: self._load_here(*new, beside=beside, begin=begin))

    def _load_here(
        self,
        prepared: PreparedModel,
        plugins: PluginSet,
        initial: InitialState,
        *,
        beside: bool = False,
        begin: SavedState | None = None,
    ) -> list[str]:
        """Replaces the model and the plugins; returns the result of `load`."""
        table, running = None, self._running
        model, data = prepared.model, prepared.data
        if beside:
            skipped = self._skipped('load', initial.begin(model, data))
            table = plugins.load(model, data)
        else:
            running.take_all()  # reads waiting messages before the kept plugins are reset
            plugins.take_over(running.plugins)
        running.adopt(prepared, plugins)
        self._initial = initial
        self._loads += 1
        if table is None:
            skipped = self._skipped('load', initial.begin(model, data))
        running.start_over()
        running.renew_receivers()
        running.loop.use(plugins.load(model, data) if table is None else table)
        running.exchange.refresh()
        plugins.after_load(model, data)
        self._record.deadline_ns = 0  # the old model set this deadline
        if begin is not None:
            return self._restored(begin)
        running.forward()
        running.announce()
        return skipped

    def change(
        self,
        model: mujoco.MjModel,
        plugins: PluginSet,
        *,
        beside: bool = False,
    ) -> Future[mujoco.MjData]:
        """Switches to another model between two steps; objects in both models keep their state.

        `StateTransfer` describes which objects these are. Time, epoch, step count and pause state
        are kept. Plugins that can adapt to the new model stay; the others are unloaded and loaded
        again. With `beside`, the new plugins are loaded first; if they raise, nothing changes and
        the future fails with the error. If another model is loaded between this call and the
        switch, nothing changes and the future fails with SimulationError. Raises ModelError if the
        first forward pass of the model fails.

        The result is the old, unused data. Freeing the data takes about as long as the change; the
        caller chooses when.
        """
        change = prepare_change(self._running, model)
        self._thread.bring_in(change.prepared.data)
        await_step(self._running)
        return self.between_steps(lambda: self._change_here(change, plugins, beside=beside))

    def _change_here(
        self, change: PreparedChange, plugins: PluginSet, *, beside: bool
    ) -> mujoco.MjData:
        """Replaces the model and carries the state over; returns the old data.

        Values of the old model that were changed while it ran are carried over too.
        """
        running, prepared, transfer = self._running, change.prepared, change.transfer
        before, old = running.loaded()
        model, data = prepared.model, prepared.data
        if failure := running.failure:
            raise EngineError(
                f'cannot change the model after a fatal error; reset or reload first: {failure}'
            )
        if before is not transfer.before:
            raise SimulationError('another model was loaded in the meantime; nothing was changed')
        running.plugins.restore_model(before, old)
        if running.prepared is not None:
            running.prepared.tuned.carry(before, model)
            for sentence in avoid_faults(model):  # carried options can cause faults
                _log.warning('%s', sentence)
        transfer.carry(old, data)
        with collecting():
            mujoco.mj_fwdPosition(model, data)  # plugins may read poses when they load
        plugins.join(model, data, running.plugins, beside=beside)
        running.loop.spare = change.spare
        running.change(prepared, plugins)
        table = plugins.load(model, data)
        running.renew_receivers()
        running.exchange.refresh()
        plugins.after_load(model, data)
        running.forward()  # without callbacks: the loop does not have the new ones yet
        running.loop.use(table)
        transfer.carry_forces(old, data)
        transfer.carry_sleep(old, data)
        return old

    def lend(self) -> Loan:
        """Returns a loan, with which the calling thread steps the paused simulation."""
        return Loan(self._running, self._thread, self._check_steps_here, self.step)

    def leave_behind(self) -> None:
        """Does nothing: the physics thread owns the data, so no other thread can replace it.

        The watchdog calls this method when the physics thread makes no progress.
        """

    def _go_back(self, before: SavedState) -> None:
        """Restores a state and pauses, on the physics thread."""
        self._restore_here(before)
        self._set_paused_here(True)
