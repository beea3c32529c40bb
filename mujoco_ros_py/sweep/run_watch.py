"""Watches a run: its progress, its time limits, and its controllers."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from ..testing.server_process import ServerProcess
from .controller_processes import ControllerProcesses
from .run_spec import RunSpec

_LOOK_S = 0.05
_LAST_STEP_S = 1.0
"""The wall time in s for the simulation to apply the last command of finished controllers."""
HUNG, FAILED, DIED, DONE = 'hung', 'failed', 'died', 'done'


@dataclass(frozen=True, slots=True)
class Stop:
    """The reason why a run was stopped."""

    verdict: str
    """`hung`, `failed`, `died`, or `done` if the run ended as planned."""
    reason: str


class RunWatch:
    """Stops the server if its run hangs or a controller has ended; use it in a `with` block.

    The stepping thread then gets EndedError from the server, and reads the reason from `stop`.
    """

    def __init__(
        self, spec: RunSpec, server: ServerProcess, controllers: ControllerProcesses
    ) -> None:
        self._spec, self._server, self._controllers = spec, server, controllers
        self._time_s = 0.0
        self._begin = self._progress = time.monotonic()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name='run_watch', daemon=True)
        self.stop: Stop | None = None
        """Why the run was stopped; None if it was not stopped."""

    def stepped(self, time_s: float) -> None:
        """Records that the simulation has reached this time."""
        self._time_s, self._progress = time_s, time.monotonic()

    def ended(self, wait_s: float = 0.0) -> Stop | None:
        """Returns why the run must stop, or None. Waits up to `wait_s` for a reason."""
        end = time.monotonic() + wait_s
        while (found := self.stop or self._look()) is None and time.monotonic() < end:
            time.sleep(_LOOK_S)
        return found

    def _watch(self) -> None:
        while not self._closed.wait(_LOOK_S):
            self.stop = self._look()
            if self.stop is None:
                continue
            if self.stop.verdict == DONE and self._closed.wait(_LAST_STEP_S):
                return
            self._server.end()
            return

    def _look(self) -> Stop | None:
        spec, now = self._spec, time.monotonic()
        done = spec.until['controllers_done']
        if done and self._controllers.all_done:
            return Stop(DONE, '')
        text, killed = self._controllers.failure(awaited=spec.lockstep and not done)
        if text:
            return Stop(DIED if killed else FAILED, f'{text}\n(at {self._time_s:.6g} s)')
        for since, limit, name, what in (
            (self._progress, spec.stall_limit, 'stall_limit', 'no step for'),
            (self._begin, spec.time_limit, 'time_limit', 'not done after'),
        ):
            if now - since > limit:
                told = f'{what} {limit:g} s of wall time ({name}), at {self._time_s:.6g} s'
                waits = '; the lockstep waits for an answer' if spec.lockstep else ''
                return Stop(HUNG, told + waits)
        return None

    def __enter__(self) -> RunWatch:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._closed.set()
        self._thread.join()
