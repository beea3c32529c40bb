"""The thread that steps the model, and the queue of the commands that it carries out."""

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
"""The time in seconds after which a thread that has lent its steps looks around again."""


class PhysicsThread:
    """Steps the model that runs, and carries out the commands between two steps.

    Only `commands` may be used from this thread, too; all else is called from others.
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
        """How often the thread has looked for commands."""
        self.turn = threading.Lock()
        """The lock of the thread that may touch model and data now."""
        self.borrower = 0
        """The thread that has borrowed the turn, see `Loan`; 0: none."""
        self.gate = threading.Lock()
        """The lock of the thread that has the next turn: this thread takes none meanwhile."""
        self.after_steps: Callable[[], object] = lambda: None
        """Is called when the loop has returned, before the commands are carried out."""
        self.lent = False
        """Whether the steps of a pause are made by another thread, see `Loan`."""

    def start(self) -> None:
        """Starts the thread; it waits for a model.

        Raises ConfigError if the system does not permit the scheduling that was asked for; the
        thread runs all the same, until it is closed.
        """
        self._thread.start()
        assert self._thread.native_id is not None
        self._scheduled.begin(self._thread.native_id)
        if self._asked.lock_memory:
            self._memory.acquire()
        if self._asked != Scheduling():
            _log.info('the physics thread has %s', self.scheduling())

    def close(self, timeout_s: float | None = None) -> bool:
        """Unloads the plugins and ends the thread; False if it did not end in time."""
        self.commands.submit(self.end)
        self._thread.join(timeout_s)
        return self._ended

    def unscheduled(self) -> AbstractContextManager[None]:
        """Schedules the thread as any other, for work between steps that may take long."""
        return self._scheduled.suspended()

    def bring_in(self, data: mujoco.MjData) -> None:
        """Brings the arena of the data into RAM if the memory is locked.

        The steps would do that page by page, whenever they have more contacts than before.
        """
        if self._memory.held:
            self._memory.bring_in(*arena(data))

    def scheduling(self) -> str:
        """Tells how Linux schedules the thread now."""
        memory = ', memory locked' if self._memory.held else ''
        return f'{self._scheduled.describe()}{memory}'

    @property
    def has_turn(self) -> bool:
        """Whether the calling thread may touch model and data now."""
        return threading.current_thread() is self._thread or self.borrower == get_ident()

    @property
    def beats(self) -> int | None:
        """A number that changes as long as the thread goes on.

        It is None while the thread has nothing to do, and while it does work that may take long,
        such as the compilation of callbacks.
        """
        if self._running.model is None or self._ended:
            return None
        now = activity(self._thread.ident)
        return None if now is not None and now.lasting else int(self._record.turns) + self._rounds

    def doing(self) -> str:
        """Tells what keeps the thread: ``control_callback of plugin 'arm'``."""
        if not self._thread.is_alive():
            return 'no function, as it has ended'
        what = self.running_callback() or activity(self._thread.ident)
        return str(what or 'a load, a reset or a long step')

    def running_callback(self) -> str | None:
        """Names the callback that runs now; None between callbacks."""
        index = self._running.loop.running
        return None if index is None else self._running.plugins.describe(index)

    def ask_for_turn(self) -> None:
        """Has the thread release `turn` soon, between two steps."""
        self._record.wanted = 1
        self._running.loop.wake()

    def carry_out(self) -> None:
        """Calls the functions that were submitted; the caller has `turn`."""
        self._record.wanted = 0
        self._rounds += 1
        self.commands.drain()

    def end(self) -> None:
        """Unloads the plugins; whoever steps the model calls this."""
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
        """Runs the loop until it returns, and then carries out the commands."""
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
        """Returns whether another thread makes the steps, and this one serves who asks."""
        return bool(self.lent and self._record.paused and not self._record.burst)

    def _is_woken(self) -> bool:
        """Waits for a command or for a request of a snapshot; False if none comes in a while.

        The loop clears the event itself, and makes one turn.
        """
        self._rounds += 1
        if not select.select([self._running.loop.wake_event], [], [], _LENT_S)[0]:
            return False
        self._record.wanted = 1
        return True
