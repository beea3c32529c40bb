"""A pool of threads that step many worlds; see `compiled.worlds`."""

from __future__ import annotations

import os
import select
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import own_code
from .linux_waits import new_event
from .physics_loop import Loop
from .records import Outcome, structure
from .world_records import COPY, POOL, WORLD

_ARGUMENTS = 'loop', 'guard', 'model', 'data', 'table'
_NONE = int(Outcome.STEPPED)
_PYTHON_S = 0.05
"""Interval in s at which the calling thread returns to Python, which handles Ctrl-C."""
_SHARES = 8
"""With few worlds per thread, each world's steps are split into this many shares. This keeps all
threads busy until the end."""
_MANY = 8
"""From this number of worlds per thread, a thread runs all steps of a world at once, which keeps
the world's memory in the CPU cache."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The inputs or outputs of all worlds, with the places in each world's memory.

    The pool copies a row of inputs into a world before the steps of the row, and a row of outputs
    out of the world after these steps.
    """

    array: NDArray[Any]
    """Axes: worlds, rows, then the contiguous values to copy. A stride of 0 for the worlds gives
    all worlds the same rows."""
    places: NDArray[np.int64]
    """The address of the values in each world."""
    state: int = 0
    """The mjtState signature of a state that MuJoCo copies; 0 to copy bytes."""


class WorldPool:
    """Steps worlds on several threads without the GIL; one thread at a time may call `run`."""

    def __init__(self, loops: Sequence[Loop], threads: int) -> None:
        """The loops must keep their model, data and callbacks while the pool exists.

        The calling thread is one of the `threads`, unless a callback calls into Python.
        """
        count = len(loops)
        self.worlds = np.zeros(count, WORLD)
        """The records of the worlds."""
        for index, loop in enumerate(loops):
            self.renew(index, loop)
        self._queue = np.zeros(count, np.int64)
        self._pools = np.zeros(1, POOL)
        self._pool = pool = structure(POOL).from_buffer(self._pools)
        self._address = int(self._pools.ctypes.data)
        self._kept: tuple[NDArray[Any], ...] = ()
        """Arrays that the current task's records point to and that must stay alive."""
        # If a callback calls into Python, the calling thread does not help: on the main thread,
        # Ctrl-C would raise KeyboardInterrupt inside a plugin's callback.
        self._helps = not any(loop.calls_python for loop in loops)
        self.threads = threads
        """The number of threads that step worlds."""
        others = threads - 1 if self._helps else threads
        self._wakes = np.array([new_event() for _ in range(others)] or [0], np.int64)
        pool.worlds, pool.room = self.worlds.ctypes.data, count
        pool.queue, pool.wakes = self._queue.ctypes.data, self._wakes.ctypes.data
        pool.done = new_event()
        for name in own_code.WORLDS:
            own_code.function(name)
        self._threads = [
            # A thread references the memory, but not the pool, which could otherwise never be
            # freed.
            threading.Thread(target=_work, args=(self._pools, event), name='worlds', daemon=True)
            for event in self._wakes[:others].tolist()
        ]
        for thread in self._threads:
            thread.start()
        # `self` is not among the arguments, or the pool would keep itself alive.
        self._end = weakref.finalize(self, _end, self._pools, self._threads, self._wakes[:others])

    def renew(self, index: int, loop: Loop) -> None:
        """Sets the loop of a world after its data or callbacks have changed."""
        for name, address in zip(_ARGUMENTS, loop.run_arguments, strict=True):
            self.worlds[name][index] = address

    def begin(
        self,
        rows: int,
        steps: int,
        inputs: Sequence[Rows],
        outputs: Sequence[Rows],
    ) -> None:
        """Sets the task for `run`: `rows` rows of `steps` steps each.

        With 0 steps, `run` only copies the current outputs. The arrays must stay alive until the
        task has ended.
        """
        pool, records = self._pool, self.worlds
        records['row'] = records['left'] = 0
        records['fresh'] = 1
        self._kept = (
            *_copies(inputs, records['inputs'], len(records)),
            *_copies(outputs, records['outputs'], len(records)),
        )
        copied_in, _, copied_out, _ = self._kept
        pool.rows, pool.steps = rows, steps
        pool.inputs, pool.input_count = copied_in.ctypes.data, len(inputs)
        pool.outputs, pool.output_count = copied_out.ctypes.data, len(outputs)
        many = len(records) >= _MANY * self.threads
        pool.share = rows * steps if many else -(-rows * steps // _SHARES)

    def run(self, worlds: NDArray[np.int64]) -> None:
        """Steps these worlds; returns when each has completed its rows or needs Python.

        The `outcome` in a world's record is the reason why the world needs Python, or STEPPED.
        Ctrl-C stops all worlds between two steps.
        """
        if not len(worlds):
            return
        pool, count = self._pool, len(worlds)
        self.worlds['outcome'][worlds] = _NONE
        # Without the lock, because no thread reads the queue while its count is 0.
        self._queue[:count] = worlds
        pool.head, pool.stop = 0, 0
        pool.waking = min(len(self._threads), count - 1 if self._helps else count)
        pool.added = count  # the queue is empty, and no thread touches the worlds yet
        try:
            self._step()
        except BaseException:
            # No thread may still step a world whose arrays the caller is about to free.
            pool.stop = 1
            self._wait_on()
            raise

    def close(self) -> None:
        """Ends the threads."""
        self._end()

    def _step(self) -> None:
        help_out = own_code.call('help_out')
        late = True
        while late:
            until_ns = time.monotonic_ns() + int(_PYTHON_S * 1e9) if self._helps else 0
            late = bool(help_out(self._address, until_ns)) and self._helps
        self._wait()

    def _wait_on(self) -> None:
        """Waits until no thread is stepping a world, even if Ctrl-C is pressed repeatedly."""
        while True:
            try:
                self._wait()
            except KeyboardInterrupt:
                continue
            return

    def _wait(self) -> None:
        """Waits until no thread is stepping a world."""
        done = self._pool.done
        while self._pool.unfinished:
            if select.select([done], [], [], _PYTHON_S)[0]:
                os.eventfd_read(done)  # may have been signalled after an earlier run had ended


def _copies(
    rows: Sequence[Rows], targets: NDArray[Any], count: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Creates a COPY for each array, and an array with the places of each world.

    Writes the address of each world's places into `targets`.
    """
    copies = np.zeros(max(1, len(rows)), COPY)
    places = np.zeros((count, max(1, len(rows))), np.int64)
    for number, each in enumerate(rows):
        array, copy = each.array, copies[number]
        copy['memory'], copy['state'] = array.ctypes.data, each.state
        copy['world_bytes'], copy['row_bytes'] = array.strides[:2]
        copy['size'] = array[0, 0].nbytes
        places[:, number] = each.places
    targets[:] = places.ctypes.data + np.arange(count) * places.strides[0]
    return copies, places


def _work(pools: NDArray[Any], event: int) -> None:
    own_code.call('work')(int(pools.ctypes.data), event)


def _end(pools: NDArray[Any], threads: Sequence[threading.Thread], wakes: NDArray[Any]) -> None:
    pools['stop'] = pools['ending'] = 1
    for event in wakes.tolist():
        os.eventfd_write(event, 1)
    for thread in threads:
        # the garbage collector may run on a pool thread
        if thread is not threading.current_thread():
            thread.join()
    for event in (*wakes.tolist(), int(pools['done'][0])):
        os.close(event)
