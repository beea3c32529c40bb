"""The thread that steps the model and carries out queued commands."""

from __future__ import annotations

import logging
import select
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import get_ident

import mujoco

from ..engine import arena, sharpen_timers
from .running_model import RunningModel
from .threads.command_queue import CommandQueue
from .threads.memory_lock import MemoryLock
from .threads.owner import activity
from .threads.scheduling import ScheduledThread, Scheduling

_log = logging.getLogger(__name__)

_LENT_S = 0.5
"""How often the thread checks its state while its steps are lent, in seconds."""


class PhysicsThread:
    """Steps the running model, and carries out commands between two steps.

    Other threads call the methods. On the physics thread itself, only `commands` may be used.
    """

    def __init__(self, running: RunningModel, scheduling: Scheduling) -> None:
        self.commands = CommandQueue(self.ask_for_turn)
        self._running = running
        self._record = running.loop.record
        self._thread = threading.Thread(target=self._run, name='physics', daemon=True)
        self._asked = scheduling
        self._scheduled = ScheduledThread(scheduling)
        self._memory = MemoryLock()
        self._ending = self._ended = False
        self._rounds = 0
        """The number of times that the thread has checked for commands."""
        self.turn = threading.Lock()
        """The lock for model and data; the thread that holds it owns them."""
        self.borrower = 0
        """The identifier of the thread that borrows the turn (see `Loan`); 0 without a loan."""
        self.gate = threading.Lock()
        """Acquired before `turn`: a thread that holds it gets `turn` before the physics thread."""
        self.after_steps: Callable[[], object] = lambda: None
        """Called when the loop has returned, before the commands are carried out."""
        self.lent = False
        """Whether another thread steps the paused simulation (see `Loan`)."""

    def start(self) -> None:
        """Starts the thread, which waits for a model.

        Raises ConfigError if the system does not permit the requested scheduling; the thread still
        runs until it is closed.
        """
        self._thread.start()
        assert self._thread.native_id is not None
        self._scheduled.begin(self._thread.native_id)
        if self._asked.lock_memory:
            self._memory.acquire()
        if self._asked != Scheduling():
            _log.info('the physics thread runs with %s', self.scheduling())

    def close(self, timeout_s: float | None = None) -> bool:
        """Unloads the plugins and ends the thread; returns False if it did not end in time."""
        self.commands.submit(self.end)
        self._thread.join(timeout_s)
        return self._ended

    def unscheduled(self) -> AbstractContextManager[None]:
        """Returns a context with normal scheduling, for long work between steps."""
        return self._scheduled.suspended()

    def bring_in(self, data: mujoco.MjData) -> None:
        """Loads the arena of the data into RAM if the memory is locked.

        Otherwise the steps would load it page by page, whenever the number of contacts grows.
        """
        if self._memory.held:
            self._memory.bring_in(*arena(data))

    def scheduling(self) -> str:
        """Describes how Linux schedules the thread now."""
        memory = ', memory locked' if self._memory.held else ''
        return f'{self._scheduled.describe()}{memory}'

    @property
    def has_turn(self) -> bool:
        """Whether the calling thread may touch model and data now."""
        return threading.current_thread() is self._thread or self.borrower == get_ident()

    @property
    def beats(self) -> int | None:
        """A number that changes while the thread makes progress.

        None if the thread has nothing to do, or if its current work may take long, such as the
        compilation of callbacks.
        """
        if self._running.model is None or self._ended:
            return None
        now = activity(self._thread.ident)
        return None if now is not None and now.lasting else int(self._record.turns) + self._rounds

    def doing(self) -> str:
        """Describes the thread's current activity: ``control_callback of plugin 'arm'``."""
        if not self._thread.is_alive():
            return 'no function (it has ended)'
        what = self.running_callback() or activity(self._thread.ident)
        return str(what or 'a load, a reset or a long step')

    def running_callback(self) -> str | None:
        """Returns the name of the callback that runs now; None between callbacks."""
        index = self._running.loop.running
        return None if index is None else self._running.plugins.describe(index)

    def ask_for_turn(self) -> None:
        """Makes the thread release `turn` soon, between two steps."""
        self._record.wanted = 1
        self._running.loop.wake()

    def carry_out(self) -> None:
        """Calls the submitted functions. The caller must hold `turn`."""
        self._record.wanted = 0
        self._rounds += 1
        self.commands.drain()

    def end(self) -> None:
        """Unloads the plugins and ends the thread; called on the thread that steps the model."""
        self._ending = True
        self.commands.close('the simulation has ended')
        self._running.close()
        self._memory.release()

    def _run(self) -> None:
        sharpen_timers()
        while not self._ending:
            if self._running.model is None:
                self.commands.wait()
                continue
            if self._lies_idle() and not self._is_woken():
                continue
            self._take_turn()
        self._ended = True

    def _take_turn(self) -> None:
        """Runs the loop until it returns, and then carries out commands."""
        with self.gate:
            self.turn.acquire()
        try:
            if self._running.model is not None:
                self._running.run()
                self.after_steps()
            self.carry_out()
        finally:
            self.turn.release()

    def _lies_idle(self) -> bool:
        """Returns whether another thread makes the steps, and this thread only serves requests."""
        return bool(self.lent and self._record.paused and not self._record.burst)

    def _is_woken(self) -> bool:
        """Waits for a command or a snapshot request; returns False if none arrives for a while.

        The event stays set; the loop clears it in its next run.
        """
        self._rounds += 1
        if not select.select([self._running.loop.wake_event], [], [], _LENT_S)[0]:
            return False
        self._record.wanted = 1
        return True
