"""Compiled: steps many worlds on many threads, with one loop per world.

A task consists of rows. For each row, a world receives inputs, makes a number of steps and returns
outputs. A thread takes a world from a queue, makes a share of its steps and puts it back, until
all worlds have completed all rows. A world that needs Python does not return to the queue.
"""

from __future__ import annotations

import mujoco
import numpy as np

from ..records import LOOP, Outcome
from ..world_records import COPY, POOL, STOPPED, WORLD
from .addresses import array_at, record_at
from .kernel import run
from .own_functions import own_function
from .struct_attributes import data_at, model_at
from .system import copy_memory, lock_mutex, monotonic_ns, signal, unlock_mutex, wait

_COMMAND, _STEPPED = int(Outcome.COMMAND), int(Outcome.STEPPED)
_LOCK = int(POOL.fields['lock'][1])  # type: ignore[index]
"""The offset of the mutex in the POOL record."""
_WAITS, _FINISHED, _LATE = range(3)
"""Results for a world: it waits for its next share; it has finished or needs Python; it waits
because the thread's time has expired."""
_PIECE = 64
"""Maximum number of steps between two checks of the clock and of `stop`."""
_SLEEP_NS = 500_000_000
_FOREVER_NS = 2**62
_run = own_function()(run)


def work(address: int, event: int) -> int:
    """Steps worlds whenever the eventfd is signalled, until the pool ends."""
    pool = record_at(address, POOL)
    while pool.ending == 0:
        _step_worlds(address, pool, _FOREVER_NS)
        wait(event, _SLEEP_NS)
    return 0


def help_out(address: int, until_ns: int) -> int:
    """Wakes the threads and steps worlds with them; returns 1 if worlds remain at `until_ns`."""
    pool = record_at(address, POOL)
    if pool.added > 0:
        lock_mutex(address + _LOCK)
        pool.count = pool.unfinished = pool.added
        pool.added = 0
        unlock_mutex(address + _LOCK)
    wakes = array_at(pool.wakes, pool.waking, np.int64)
    for index in range(pool.waking):
        signal(wakes[index])
    pool.waking = 0
    late: int = _step_worlds(address, pool, until_ns)
    return late


@own_function()
def _step_worlds(address: int, pool: np.record, until_ns: int) -> int:
    """Steps worlds until the queue is empty (returns 0), or until `until_ns` (returns 1)."""
    worlds = array_at(pool.worlds, pool.room, WORLD)
    while True:
        index = _take(address, pool)
        if index < 0:
            return 0
        result = _advance(pool, worlds[index], index, until_ns)
        _give_back(address, pool, index, result)
        if result == _LATE:
            return 1


@own_function()
def _take(address: int, pool: np.record) -> int:
    """Takes the world that has waited longest from the queue; returns -1 if it is empty."""
    index = -1
    lock_mutex(address + _LOCK)
    if pool.count > 0:
        index = array_at(pool.queue, pool.room, np.int64)[pool.head]
        # First in, first out: worlds progress at about the same rate, so no thread is left with
        # one long world at the end.
        pool.head = (pool.head + 1) % pool.room
        pool.count -= 1
    unlock_mutex(address + _LOCK)
    return index


@own_function()
def _give_back(address: int, pool: np.record, index: int, result: int) -> None:
    """Puts a world back into the queue, or counts it as finished."""
    done = False
    lock_mutex(address + _LOCK)
    if result == _FINISHED:
        pool.unfinished -= 1
        done = pool.unfinished == 0
    else:
        queue = array_at(pool.queue, pool.room, np.int64)
        queue[(pool.head + pool.count) % pool.room] = index
        pool.count += 1
    event = pool.done
    unlock_mutex(address + _LOCK)
    if done:
        signal(event)


@own_function()
def _advance(pool: np.record, world: np.record, index: int, until_ns: int) -> int:
    """Makes a share of a world's steps; returns the result."""
    loop = record_at(world.loop, LOOP)
    share = pool.share
    while world.row < pool.rows:
        if share <= 0 and pool.steps > 0:
            return _WAITS
        # Only the thread that Python is waiting for has a time limit, and reads the clock.
        if until_ns != _FOREVER_NS and monotonic_ns() > until_ns:
            return _LATE
        outcome, made = _step(pool, world, loop, index)
        share -= made
        if outcome != _STEPPED:
            world.outcome = outcome
            return _FINISHED
    return _FINISHED


@own_function()
def _step(pool: np.record, world: np.record, loop: np.record, index: int) -> tuple[int, int]:
    """Makes a few steps of a row; returns the outcome and the number of steps."""
    fresh, world.fresh = world.fresh, 0
    if pool.stop != 0 or loop.failed != 0:
        return STOPPED, 0
    if fresh != 0 and loop.wanted != 0:  # a command was submitted before the task
        return _COMMAND, 0
    if pool.steps == 0:  # the task only copies the current values
        _copy_out(pool, world, index)
        world.row += 1
        return _STEPPED, 0
    if world.left == 0:
        _copy_in(pool, world, index)
        world.left = pool.steps
    before = loop.steps
    # In parts, so that Ctrl-C and `stop` take effect soon, even if a row has many steps.
    loop.burst = min(world.left, _PIECE)
    outcome = _run(world.loop, world.guard, world.model, world.data, world.table)
    loop.burst = 0
    made = loop.steps - before
    world.left -= made
    if world.left == 0:
        _copy_out(pool, world, index)
        world.row += 1
    if outcome == _STEPPED and loop.wanted != 0:
        outcome = _COMMAND
    return outcome, made


@own_function()
def _copy_in(pool: np.record, world: np.record, index: int) -> None:
    """Copies the inputs of the row into the world."""
    copies = array_at(pool.inputs, pool.input_count, COPY)
    places = array_at(world.inputs, pool.input_count, np.int64)
    for number in range(pool.input_count):
        copy = copies[number]
        memory = copy.memory + index * copy.world_bytes + world.row * copy.row_bytes
        copy_memory(places[number], memory, copy.size)


@own_function()
def _copy_out(pool: np.record, world: np.record, index: int) -> None:
    """Copies the outputs of the world into the row."""
    copies = array_at(pool.outputs, pool.output_count, COPY)
    places = array_at(world.outputs, pool.output_count, np.int64)
    for number in range(pool.output_count):
        copy = copies[number]
        memory = copy.memory + index * copy.world_bytes + world.row * copy.row_bytes
        if copy.state == 0:
            copy_memory(memory, places[number], copy.size)
        else:
            model = model_at(world.model)
            state = array_at(memory, copy.size // 8, np.float64)
            mujoco.mj_getState(model, data_at(world.data, model), state, copy.state)
