"""The simulation: a physics thread that owns model and data, and the commands that reach it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import TypeVar

import mujoco

from ..engine import Loop
from .edits.edit import Edit
from .listener import Listener
from .loan import Loan
from .lockstep import Lockstep
from .message_exchange import MessageExchange
from .models.initial_state import InitialState
from .physics_commands import PhysicsCommands
from .physics_thread import PhysicsThread
from .plugin_set import NoPlugins, PluginSet
from .prepared_change import await_step, prepare_change
from .prepared_model import prepare
from .readable_simulation import ReadableSimulation
from .running_model import RunningModel
from .saved_state import SavedState, check_model
from .snapshots import Snapshot, SnapshotReceiver, TimeWaiter
from .step_limit import StepLimit
from .step_requests import check_steps
from .threads.command_queue import settle
from .threads.scheduling import Scheduling

Result = TypeVar('Result')
_NEVER_NS = 2**62
"""A time on the monotonic clock that does not come."""


class Simulation(ReadableSimulation):
    """Steps one model at a time. Commands return futures and run in order, between two steps.

    Start it, `load` a model, and `close` it at the end. Methods may be called from any thread;
    plugins and listener are called on the physics thread.
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
        """With `idle`, a forward pass 60 times a second keeps the data of a pause up to date.

        With `ends_unstable` an unstable simulation stops, as by a fatal error; MuJoCo would reset
        it. Controls and applied forces are limited to `command_limit`; 0: any are used.
        `step_limit` gives up steps that take longer than `step_time_limit_s` if another
        thread calls its `look`. A simulation that is not `threaded` is never started: see
        `ThreadlessSimulation`. With `ros_time_continues` ROS time advances by one timestep where
        an epoch begins; otherwise it is the simulation time.
        """
        loop = Loop(waits=threaded)
        loop.command_limit = command_limit
        loop.record.continues = ros_time_continues
        running = RunningModel(loop, listener or Listener(), lockstep, ends_unstable=ends_unstable)
        commands = PhysicsCommands(running)
        super().__init__(running, commands, PhysicsThread(running, scheduling or Scheduling()))
        self._record.paused = paused
        self._record.realtime = realtime
        self._record.spin_ns = int(busy_wait_s * 1e9)
        self._record.remaining = num_steps
        if not idle:
            self._record.forward_ns = _NEVER_NS
        self._queue = self._thread.commands
        self.step_limit = StepLimit(
            running, commands, self._queue.submit, self._thread.ask_for_turn, step_time_limit_s
        )
        self._thread.after_steps = self.step_limit.settle
        self.exchange = MessageExchange(self._running, self._queue.submit, self.at_once, lockstep)
        """The exchange of messages with the outside, in compiled code."""
        self._running.exchange = self.exchange

    def start(self) -> None:
        """Starts the physics thread; it waits for a model.

        Raises ConfigError if the system does not permit the scheduling that was asked for. Close
        the simulation then, too.
        """
        self._thread.start()

    def close(self, timeout_s: float | None = None) -> bool:
        """Unloads the plugins and ends the thread; False if it did not end in time."""
        ended = self._thread.close(timeout_s)
        self._commands.prepared = None  # it has the model and the data
        self.exchange.close()
        return ended

    def submit(
        self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]
    ) -> Future[Result]:
        """Calls `function(model, data)` between two steps, on the physics thread."""
        return self._queue.submit(lambda: function(*self._running.loaded()))

    def at_once(self, function: Callable[[], Result]) -> Result:
        """Calls a function between two steps, on the physics thread, and returns its result.

        The thread that has the data, which may have borrowed them, calls the function itself.
        """
        return function() if self._thread.has_turn else self._queue.submit(function).result()

    def edit(self, change: Callable[[mujoco.MjModel, mujoco.MjData, Edit], None]) -> Future[Edit]:
        """Calls `change(model, data, edit)` between two steps, and has all else follow from it.

        Poses and forces are computed anew, and plugins hear what was changed of the model. The
        future fails with EngineError while the simulation stands still after a fatal error.
        """
        return self._queue.submit(lambda: self._commands.edit(change))

    def hold(self, function: Callable[[], Result]) -> Future[Result]:
        """Calls a function on the physics thread, with a model or without; nothing steps then.

        The function may take long and start threads: it runs without the thread's priority, and
        on the cores of the process.
        """
        return self._submit_unscheduled(function)

    def load(
        self,
        model: mujoco.MjModel,
        plugins: PluginSet | None = None,
        initial: InitialState | None = None,
        *,
        beside: bool = False,
        begin: SavedState | None = None,
    ) -> Future[list[str]]:
        """Replaces the model: unloads the old plugins and loads the new; time starts at 0.

        The future has a sentence for each initial value that is skipped or does not fit. With
        `begin` the model and the plugins begin in a saved state, at its time, and the future has
        what that of `restore` has.

        With `beside` the new plugins are loaded before the old ones are unloaded. If they raise,
        nothing is replaced: what runs goes on where it was, and the future has the error.
        Raises ModelError, and replaces nothing, if the model cannot make its first forward pass,
        or has options or an acceleration that are no numbers, and SimulationError for the state of
        another model.
        """
        prepared = prepare(model, initial)
        if begin is not None:
            check_model(model, prepared.layout, begin)
        new = prepared, plugins or NoPlugins(), initial or InitialState()
        self._thread.bring_in(prepared.data)
        return self._submit_unscheduled(
            lambda: self._commands.load(*new, beside=beside, begin=begin)
        )

    def change(
        self,
        model: mujoco.MjModel,
        plugins: PluginSet,
        *,
        beside: bool = False,
    ) -> Future[mujoco.MjData]:
        """Goes on with another model between two steps: what both models have keeps its state.

        `StateTransfer` tells what that is. Time, epoch and the count of steps go on, and so does
        a pause. Plugins that can are told of the new model, the others are unloaded and loaded
        anew; with `beside` the new ones are loaded first, and if they raise, nothing has changed
        and the future has the error. It fails too, and nothing changes, if a model was loaded
        meanwhile. Raises ModelError for a model that cannot make its first forward pass.

        The future has the data that ran before, which nobody uses any more: to free them takes
        about as long as the change, and whoever waits for it chooses when.
        """
        change = prepare_change(self._running, self._commands.prepared, model)
        self._thread.bring_in(change.prepared.data)
        await_step(self._running)
        return self._submit_unscheduled(
            lambda: self._commands.change(change, plugins, beside=beside)
        )

    def reset(self, keyframe: str | None = None, *, keep_time: bool = False) -> Future[list[str]]:
        """Puts the data back to the initial joint states and time 0; the pause state is kept.

        The future has sentences about the plugins that this has cost, and about initial values
        that are skipped or do not fit.

        With the name of a keyframe of the model the data begin with its state and its time
        instead. The future fails with SimulationError for a keyframe that is not there. With
        `keep_time` the time goes on; an epoch begins all the same.
        """
        return self._queue.submit(lambda: self._commands.reset(keyframe, keep_time=keep_time))

    def lend(self) -> Loan:
        """Lends the steps of a pause to the thread that asks: see `Loan`."""
        return Loan(self._running, self._commands, self._thread, self.step)

    def save(self) -> Future[SavedState]:
        """Saves the whole state of this moment, with the part of each plugin.

        The future fails with EngineError while the simulation stands still after a fatal error,
        and with PluginError where a plugin cannot save its part.
        """
        self._make_layout()
        return self._queue.submit(self._commands.save)

    def restore(self, saved: SavedState, *, checked: bool = False) -> Future[list[str]]:
        """Goes on from a saved state: a new epoch begins, at the time of that moment.

        With `checked`, which a state from outside needs, it is refused with SimulationError where
        its numbers are none to go on with, or its parts do not fit the plugins.

        The future has a sentence for each plugin without a saved part, for each part without a
        plugin, and for each plugin that fails over its part. It fails with SimulationError, and
        nothing changes, for a state of another model.
        """
        self._make_layout()
        return self._queue.submit(lambda: self._commands.restore(saved, checked=checked))

    def apply_initial_state(self, initial: InitialState | None = None) -> Future[list[str]]:
        """Writes the given or the last initial joint states now; returns what was skipped."""
        return self._queue.submit(lambda: self._commands.apply_initial_state(initial))

    def set_paused(self, paused: bool) -> Future[None]:
        """Pauses the simulation or runs it; running it drops steps that are still to be made."""
        return self._queue.submit(lambda: self._commands.set_paused(paused))

    def step(self, count: int = 1) -> Future[None]:
        """Makes steps while paused, as fast as possible; the future is done when they are made.

        Raises SimulationError for a count below 1; the future fails with it unless the simulation
        is paused.
        """
        check_steps(count)
        done: Future[None] = Future()
        begun = self._queue.submit(lambda: self._commands.step(count, done))
        begun.add_done_callback(lambda begun: _pass_failure(begun, done))
        return done

    def withdraw_steps(self, steps: Future[None]) -> Future[int]:
        """Makes no more of the steps of this future of `step`; the new one has how many are left.

        The future of `step` fails with SimulationError if some are left.
        """
        return self._queue.submit(lambda: self._commands.withdraw_steps(steps))

    def set_realtime(self, realtime: float) -> Future[None]:
        """Sets the simulated seconds per second of wall time; -1: as many as possible."""
        return self._queue.submit(lambda: self._commands.set_realtime(realtime))

    def snapshot(self) -> Future[Snapshot]:
        """Copies the data of this moment; the copy stays as it is."""
        running, record = self._running.model, self._record
        room = None if running is None else mujoco.MjData(running)  # takes longer than the copy

        def copied(model: mujoco.MjModel, data: mujoco.MjData) -> Snapshot:
            copy = mujoco.MjData(model) if room is None or running is not model else room
            mujoco.mj_copyData(copy, model, data)
            epoch, steps, ros_offset = int(record.epoch), int(record.steps), record.ros_offset
            return Snapshot(model, copy, epoch, steps, ros_offset=ros_offset)

        return self.submit(copied)

    def receiver(self) -> Future[SnapshotReceiver]:
        """Makes a new receiver of snapshots."""
        return self._queue.submit(lambda: self._running.new_receiver(SnapshotReceiver))

    def renew(self, receiver: SnapshotReceiver) -> Future[SnapshotReceiver]:
        """Gives the receiver new memory: the snapshots that it has handed out stay as they are."""
        return self._queue.submit(lambda: self._running.renew(receiver))

    def release(self, receiver: TimeWaiter) -> Future[None]:
        """Stops serving a receiver; its memory is freed once nobody uses it."""
        return self._queue.submit(lambda: self._running.release(receiver))

    def time_waiter(self) -> Future[TimeWaiter]:
        """Makes an object that waits for simulation times."""
        return self._queue.submit(lambda: self._running.new_receiver(TimeWaiter))

    def leave_behind(self) -> None:
        """Does nothing: no other thread can take over, as the physics thread has the data."""

    def _make_layout(self) -> None:
        """Makes the layout of the state, so that the physics thread finds it made."""
        prepared = self._commands.prepared
        _ = prepared and prepared.layout

    def _submit_unscheduled(self, function: Callable[[], Result]) -> Future[Result]:
        """Submits a function that runs without the scheduling of the physics thread."""

        def call() -> Result:
            with self._thread.unscheduled():
                return function()

        return self._queue.submit(call)


def _pass_failure(begun: Future[None], done: Future[None]) -> None:
    """Makes the future of steps fail where these could not begin."""
    error = begun.exception()
    if error is not None:
        with contextlib.suppress(InvalidStateError):  # its caller cancelled it
            settle(done, error=error)
