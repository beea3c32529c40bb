"""Compiled: the physics loop.

`run` steps, paces, idles while paused and serves snapshots, all without the GIL, until Python is
needed: a command waits, something finished, or something went wrong. What Python and the loop tell
each other lies in one LOOP record; each field has one writer while `run` is under way.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from numba import carray, njit

from ..records import GUARD, LATENESS, LOOP, MOMENT, TABLE, Outcome, Point
from . import functions as _functions  # noqa: F401  (makes mujoco.mj_step callable)
from .dispatch import dispatch, dispatch_by_data, dispatch_with_scene, pointer_to
from .guard import guarded_call
from .structs import data_at, model_at
from .system import monotonic_ns, signal, wait

_COMMAND, _STEPPED, _FINISHED, _NOTICE, _ERROR = (int(outcome) for outcome in Outcome)
_CONTROL, _PASSIVE, _LAST_STAGE, _RENDER = (int(point) for point in Point)
_SLEEP_NS = 500_000_000
_LAG_NS = 100_000_000
"""A loop further behind than this gives the lost time up instead of catching up."""
_FOREVER_NS = 2.0**61
"""The longest time from a step to the next."""
_IDLE_NS = 16_666_667
"""While paused, a forward pass 60 times a second."""
_SAMPLING = 63
"""Callbacks of every 64th step are timed."""


# The functions without a decorator are compiled as C functions of 64-bit integers: addresses, all
# of them, so that MuJoCo, the guard and Python can call them.


def on_control(model: int, data: int) -> int:
    """For mjcb_control."""
    dispatch_by_data(_CONTROL, model, data)
    return 0


def on_passive(model: int, data: int) -> int:
    """For mjcb_passive."""
    dispatch_by_data(_PASSIVE, model, data)
    return 0


def full_step(model: int, data: int, table: int) -> int:
    """One step of MuJoCo and the last-stage callbacks."""
    typed = model_at(model)
    mujoco.mj_step(typed, data_at(data, typed))
    dispatch(table, _LAST_STAGE, model, data)
    return 0


def forward(model: int, data: int, scratch: int) -> int:
    """One forward pass that leaves the solver's warm start, so that a pause changes no result."""
    typed = model_at(model)
    fields = data_at(data, typed)
    saved = carray(pointer_to(scratch), typed.nv, np.float64)
    mujoco.mju_copy(saved, fields.qacc_warmstart, typed.nv)
    mujoco.mj_forward(typed, fields)
    mujoco.mju_copy(fields.qacc_warmstart, saved, typed.nv)
    return 0


def forward_once(loop: int, guard: int, model: int, data: int) -> int:
    """One guarded forward pass; 1 after a fatal error."""
    record = carray(pointer_to(loop), 1, LOOP)[0]
    failed: int = guarded_call(guard, record.forward, model, data, record.warmstart)
    return failed


def render(model: int, data: int, table: int) -> int:
    """The render callbacks of a table, with its scene."""
    dispatch_with_scene(table, _RENDER, model, data)
    return 0


def render_once(guard: int, function: int, model: int, data: int, table: int) -> int:
    """`render`, whose address is given, guarded; 1 after a fatal error."""
    failed: int = guarded_call(guard, function, model, data, table)
    return failed


def run(loop: int, guard: int, model: int, data: int, table: int) -> int:
    """Runs until Python is needed; returns the Outcome. See the module's text."""
    record = carray(pointer_to(loop), 1, LOOP)[0]
    notes = carray(pointer_to(guard), 1, GUARD)[0]
    while True:  # at least one turn, so that no flood of commands stops the simulation
        outcome: int = _turn(record, notes, guard, model, data, table)
        if outcome != _COMMAND or record.wanted:
            return outcome


@njit(nogil=True)
def _turn(loop: Any, notes: Any, guard: int, model: int, data: int, table: int) -> int:
    """A step, a wait or a look around; COMMAND if there is nothing to tell."""
    outcome: int = _COMMAND
    if _serve(loop, guard, model, data):
        outcome = _ERROR
    elif loop.failed or (loop.paused and loop.burst == 0):
        outcome = _idle(loop, notes, guard, model, data)
    elif loop.remaining == 0:
        outcome = _FINISHED
    elif loop.burst > 0 or loop.realtime < 0 or _due(loop):
        outcome = _step(loop, notes, guard, model, data, table)
    return outcome


@njit(nogil=True)
def _serve(loop: Any, guard: int, model: int, data: int) -> int:
    """Copies the data for each receiver that asked, and tells it; 1 after a fatal error."""
    for index in range(loop.receivers):
        snapshot = loop.snapshots[index]
        if snapshot.asked == snapshot.served or loop.failed:
            continue
        if data_at(data, model_at(model)).time < snapshot.due:
            continue
        if snapshot.data != 0:
            if guarded_call(guard, loop.copy, snapshot.data, model, data):
                return 1
            moment = carray(pointer_to(snapshot.moment), 1, MOMENT)[0]
            moment.epoch = loop.epoch
            moment.steps = loop.steps
        snapshot.served = snapshot.asked
        signal(snapshot.event)
    return 0


@njit(nogil=True)
def _idle(loop: Any, notes: Any, guard: int, model: int, data: int) -> int:
    """Waits to be woken; a paused loop makes a forward pass now and then."""
    now = monotonic_ns()
    if not loop.failed and now >= loop.forward_ns:
        loop.forward_ns = now + _IDLE_NS
        if guarded_call(guard, loop.forward, model, data, loop.warmstart):
            return _ERROR
    loop.time = data_at(data, model_at(model)).time
    if notes.warnings != loop.warnings:
        return _NOTICE
    wait(loop.wake, _IDLE_NS)
    return _COMMAND


@njit(nogil=True)
def _due(loop: Any) -> bool:
    """Whether the next step's time has come; waits for it, but not past a command."""
    late = monotonic_ns() - loop.deadline_ns
    if loop.deadline_ns == 0:
        loop.deadline_ns += late
        return True
    if late < -loop.spin_ns:
        wait(loop.wake, min(-late - loop.spin_ns, _SLEEP_NS))
        return False
    while late < 0:
        late = monotonic_ns() - loop.deadline_ns
    loop.late_ns[loop.late_count % LATENESS] = late
    loop.late_count += 1
    if late > _LAG_NS:
        loop.deadline_ns += late
    return True


@njit(nogil=True)
def _step(loop: Any, notes: Any, guard: int, model: int, data: int, table: int) -> int:
    """One full step and its bookkeeping."""
    carray(pointer_to(table), 1, TABLE)[0].sample = (loop.steps & _SAMPLING) == 0
    if guarded_call(guard, loop.step, model, data, table):
        return _ERROR
    typed = model_at(model)
    time = data_at(data, typed).time
    jumped = time < loop.time
    if jumped:
        loop.jumps += 1
    loop.steps += 1
    loop.time = time
    if loop.realtime > 0 and loop.burst == 0:
        loop.deadline_ns += np.int64(min(typed.opt.timestep / loop.realtime * 1e9, _FOREVER_NS))
    finished = loop.remaining == 1
    if loop.remaining > 0:
        loop.remaining -= 1
    stepped = loop.burst == 1
    if loop.burst > 0:
        loop.burst -= 1
    if finished:
        return _FINISHED
    if jumped or notes.warnings != loop.warnings:
        return _NOTICE
    return _STEPPED if stepped else _COMMAND
