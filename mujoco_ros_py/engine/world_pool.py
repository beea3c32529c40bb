"""Many worlds and the threads that step them; see `compiled.worlds`."""

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
"""After so many seconds the thread that asks for steps looks at Python, which handles Ctrl-C."""
_SHARES = 8
"""Each world is put back so often, where there are few of them for each thread: then all threads
are busy until the end, although there are more worlds than threads."""
_MANY = 8
"""The number of worlds for each thread from which on a thread makes all steps of a world at once,
which keeps its memory in the cache."""


@dataclass(frozen=True, slots=True)
class Rows:
    """An array of rows of all worlds, and the places in the worlds that belong to it."""

    array: NDArray[Any]
    """The array: worlds, rows, then whatever is copied, one behind the other in memory. An axis of
    the worlds whose stride is 0 gives all of them the same rows."""
    places: NDArray[np.int64]
    """The address of the numbers of the first row in each world."""
    state: int = 0
    """The signature of the state that MuJoCo writes; 0: bytes are copied."""


class WorldPool:
    """Threads that step worlds without the GIL; one thread at a time asks for steps."""

    def __init__(self, loops: Sequence[Loop], threads: int) -> None:
        """Each loop has model, data and callbacks, which stay as long as the pool.

        The thread that asks for steps is one of the `threads`, unless Python is called in a step.
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
        """The arrays that the records of the present task point to, which must stay alive."""
        # Ctrl-C is raised in the Python that the main thread runs: it would be raised inside of a
        # plugin's callback.
        self._helps = not any(loop.calls_python for loop in loops)
        self.threads = threads
        """The number of threads that make steps."""
        others = threads - 1 if self._helps else threads
        self._wakes = np.array([new_event() for _ in range(others)] or [0], np.int64)
        pool.worlds, pool.room = self.worlds.ctypes.data, count
        pool.queue, pool.wakes = self._queue.ctypes.data, self._wakes.ctypes.data
        pool.done = new_event()
        for name in own_code.WORLDS:
            own_code.function(name)
        self._threads = [
            # The thread has the memory and not the pool, which could never be freed while it runs.
            threading.Thread(target=_work, args=(self._pools, event), name='worlds', daemon=True)
            for event in self._wakes[:others].tolist()
        ]
        for thread in self._threads:
            thread.start()
        # Without `self` among the arguments, as it would keep itself alive.
        self._end = weakref.finalize(self, _end, self._pools, self._threads, self._wakes[:others])

    def renew(self, index: int, loop: Loop) -> None:
        """Sets the loop of a world, after it has got other data or callbacks."""
        for name, address in zip(_ARGUMENTS, loop.run_arguments, strict=True):
            self.worlds[name][index] = address

    def begin(
        self,
        rows: int,
        steps: int,
        inputs: Sequence[Rows],
        outputs: Sequence[Rows],
    ) -> None:
        """Sets the task: so many rows of so many steps each, which `run` makes.

        With 0 steps the outputs of now are copied. The arrays must live until the task has ended.
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
        """Steps these worlds on; returns when each has made its rows or needs Python.

        `outcome` of the records tells of the latter; it is STEPPED for the others. Ctrl-C stops
        all worlds between two steps, wherever they are.
        """
        if not len(worlds):
            return
        pool, count = self._pool, len(worlds)
        self.worlds['outcome'][worlds] = _NONE
        # Without the lock, as no thread reads the queue while its count is 0.
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
        """Waits until no thread has a world, however often Ctrl-C comes."""
        while True:
            try:
                self._wait()
            except KeyboardInterrupt:
                continue
            return

    def _wait(self) -> None:
        """Waits until no thread has a world."""
        done = self._pool.done
        while self._pool.unfinished:
            if select.select([done], [], [], _PYTHON_S)[0]:
                os.eventfd_read(done)  # it may have been signalled after a run that had ended


def _copies(
    rows: Sequence[Rows], targets: NDArray[Any], count: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Makes the COPYs of arrays, and writes where each world has the addresses of its places."""
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
        if thread is not threading.current_thread():  # Python's collector may run there
            thread.join()
    for event in (*wakes.tolist(), int(pools['done'][0])):
        os.close(event)
