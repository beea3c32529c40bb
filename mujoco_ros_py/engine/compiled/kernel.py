"""Compiled: the physics loop.

`run` steps, keeps pace, idles while paused and copies snapshots. It runs without the GIL and
returns when Python is needed: for a command, at the end, or after an error. Python and the loop
communicate through one LOOP record; each of its fields has one writer while `run` is running.
"""

from __future__ import annotations

import mujoco
import numpy as np

from ..records import GUARD, LATENESS, LOOP, SAMPLE_TIME, SNAPSHOT, TABLE, Outcome, Point
from . import mujoco_functions as _functions  # noqa: F401  (makes mujoco.mj_step callable)
from .addresses import array_at, record_at
from .clock import note_time
from .dispatch import dispatch, dispatch_with_scene
from .guarded_call import guarded_call
from .lockstep import FAIL, REPORT, STEP
from .mujoco_callbacks import keep_callbacks
from .own_functions import own_function
from .samples import serve_rings
from .struct_attributes import data_at, model_at
from .system import acquire, call_at, monotonic_ns, release, signal, wait
from .user_sensors import LAST, give_back_user_sensors, keep_sensors

_COMMAND, _STEPPED, _FINISHED, _NOTICE, _ERROR, _AWAITED = (int(outcome) for outcome in Outcome)
_LAST_STAGE, _RENDER = int(Point.LAST_STAGE), int(Point.RENDER)
_SLEEP_NS = 500_000_000
_LAG_NS = 100_000_000
"""The lag in ns beyond which the loop drops the lost time instead of catching up."""
_FOREVER_NS = 2.0**61
"""The maximum time in ns between two steps."""
_IDLE_NS = 16_666_667
"""The interval in ns of forward passes while the loop is paused (60 Hz)."""
_SAMPLING = 63
"""Mask of step numbers for timing callbacks: every 64th step."""
_AHEAD = 1.5
"""Advance of time, in timesteps, that counts as a jump; a step advances by one, except for
rounding."""


# Functions without a decorator are compiled to C functions of 64-bit integers, all of which are
# addresses. MuJoCo, guarded calls (see `engine.guard_block`) and Python can call them.


def full_step(model: int, data: int, table: int) -> int:
    """Makes one step of MuJoCo, then calls the last-stage callbacks."""
    typed = model_at(model)
    # One call instead of mj_step1 and mj_step2, which do not support RK4. mj_step calls the other
    # callbacks, in RK4 at each stage.
    mujoco.mj_step(typed, data_at(data, typed))
    dispatch(table, _LAST_STAGE, _LAST_STAGE, model, data)
    return 0


def forward(model: int, data: int, scratch: int) -> int:
    """Makes one forward pass, preserving the warm start, so that a pause does not affect results.

    Also preserves the user sensors that last-stage callbacks have written, because these callbacks
    only run after a step.
    """
    typed = model_at(model)
    fields = data_at(data, typed)
    saved = array_at(scratch, typed.nv, np.float64)
    # The solver starts from the warm start: with a different one, the last bits of the next step
    # would differ.
    mujoco.mju_copy(saved, fields.qacc_warmstart, typed.nv)
    keep_sensors(typed, fields, scratch + 8 * typed.nv)
    mujoco.mj_forward(typed, fields)
    give_back_user_sensors(typed, fields, scratch + 8 * typed.nv, LAST)
    mujoco.mju_copy(fields.qacc_warmstart, saved, typed.nv)
    return 0


def forward_once(loop: int, guard: int, model: int, data: int) -> int:
    """Makes one guarded forward pass; returns 1 after a fatal error."""
    record = record_at(loop, LOOP)
    keep_callbacks(record.turns)
    failed: int = guarded_call(guard, record.forward, model, data, record.kept)
    return failed


def render(model: int, data: int, table: int) -> int:
    """Calls the render callbacks of a table with its scene."""
    dispatch_with_scene(table, _RENDER, model, data)
    return 0


def call_guarded(guard: int, function: int, a: int, b: int, c: int) -> int:
    """Calls a C function of three addresses under the guard; returns 1 after a fatal error."""
    failed: int = guarded_call(guard, function, a, b, c)
    return failed


def run(loop: int, guard: int, model: int, data: int, table: int) -> int:
    """Runs until Python is needed, and returns the Outcome; see the module docstring."""
    record = record_at(loop, LOOP)
    notes = record_at(guard, GUARD)
    while True:  # at least one turn, so that many commands do not stop the simulation
        outcome: int = _turn(record, notes, guard, model, data, table)
        if outcome != _COMMAND or record.wanted:
            return outcome


@own_function()
def _turn(loop: np.record, notes: np.record, guard: int, model: int, data: int, table: int) -> int:
    """Steps, waits, or serves snapshots; returns COMMAND if there is nothing to report."""
    outcome: int = _COMMAND
    loop.turns += 1
    news = keep_callbacks(loop.turns)
    if news or (not loop.failed and _note_time(loop, model, data, 0.0)):  # a command set the time
        outcome = _NOTICE
    elif _serve(loop, guard, model, data) or serve_rings(loop, guard, model, data):
        outcome = _ERROR
    else:
        if loop.pipes != 0:
            call_at(loop.serve_pipes, loop.pipes, 0, 0, 0)
        # Records the time only after `serve_rings` has written the samples: nodes that wake at
        # this time need the samples.
        if loop.unsent != 0:
            note_time(loop)
        if loop.failed or (loop.paused and loop.burst == 0):
            outcome = _idle(loop, notes, guard, model, data)
        elif loop.remaining == 0:
            outcome = _FINISHED
        else:
            outcome = _advance(loop, notes, guard, model, data, table)
    return outcome


@own_function()
def _advance(
    loop: np.record, notes: np.record, guard: int, model: int, data: int, table: int
) -> int:
    """Steps if a step is due and no answer is awaited, or waits briefly."""
    outcome: int = _COMMAND
    action = STEP
    if loop.lockstep != 0:
        action = call_at(loop.await_answers, loop.lockstep, guard, model, data)
    if action == REPORT:
        outcome = _AWAITED
    elif action == FAIL:
        outcome = _ERROR
    elif action == STEP and (loop.burst > 0 or loop.realtime < 0 or _due(loop)):
        outcome = _step(loop, notes, guard, model, data, table)
    return outcome


@own_function()
def _note_time(loop: np.record, model: int, data: int, timestep: float) -> bool:
    """Records the time; returns True if it jumped back, or ahead by more than a step.

    `timestep` is the value from before the step, which may have been larger. If ROS time continues
    at jumps, it then advances by one timestep, because a new state needs a new stamp.
    """
    typed = model_at(model)
    last, now = loop.time, data_at(data, typed).time
    loop.time = now
    jumped = not last <= now <= last + _AHEAD * max(timestep, typed.opt.timestep)
    if now != now and last != last:  # only the first NaN counts as a jump
        jumped = False
    if jumped:
        loop.jumps += 1
    if loop.continues == 0:
        loop.ros_time = now
    elif np.isfinite(now):
        if jumped:
            loop.ros_offset = loop.ros_time + typed.opt.timestep - now
        loop.ros_time = now + loop.ros_offset
    return jumped


@own_function()
def _serve(loop: np.record, guard: int, model: int, data: int) -> int:
    """Copies the data for each receiver with a request; returns 1 after a fatal error."""
    if loop.begun != loop.epoch and not loop.failed:
        loop.begun, loop.begin = loop.epoch, loop.time
    places = array_at(loop.snapshots, loop.receivers, np.int64)
    for index in range(loop.receivers):
        snapshot = record_at(places[index], SNAPSHOT)
        asked = snapshot.asked  # the receiver may make another request during the copy
        if asked == snapshot.served or loop.failed:
            continue
        acquire()  # the receiver wrote `due` before `asked`
        if data_at(data, model_at(model)).time < snapshot.due:
            continue
        if snapshot.data != 0:
            if guarded_call(guard, loop.copy, snapshot.data, model, data):
                return 1
            _note_sample_time(loop, snapshot, model_at(model).nv)
        release()  # a receiver that sees the new `served` also sees the copy
        # Not `snapshot.asked`, which the receiver may have increased during the copy.
        snapshot.served = asked
        signal(snapshot.event)
    return 0


@own_function()
def _note_sample_time(loop: np.record, snapshot: np.record, nv: int) -> None:
    """Adds epoch, step count, times and the forces of passive callbacks to a snapshot."""
    taken = record_at(snapshot.sample_time, SAMPLE_TIME)
    taken.epoch = loop.epoch
    taken.steps = loop.steps
    taken.begin = loop.begin
    taken.ros_offset = loop.ros_offset
    if loop.passive != 0:
        added = array_at(loop.passive, nv, np.float64)
        mujoco.mju_copy(array_at(snapshot.passive, nv, np.float64), added, nv)


@own_function()
def _take(loop: np.record, guard: int, model: int, data: int) -> int:
    """Takes the incoming messages; returns 1 after a fatal error."""
    if loop.inlets == 0:
        return 0
    failed: int = guarded_call(guard, loop.take, loop.inlets, model, data)
    return failed


@own_function()
def _idle(loop: np.record, notes: np.record, guard: int, model: int, data: int) -> int:
    """Waits until the loop is woken; a paused loop makes a forward pass now and then."""
    now = monotonic_ns()
    if not loop.failed and now >= loop.forward_ns:
        # A command may have moved objects: during a pause, poses and sensors are updated at 60 Hz.
        loop.forward_ns = now + _IDLE_NS
        if _take(loop, guard, model, data):
            return _ERROR
        if guarded_call(guard, loop.forward, model, data, loop.kept):
            return _ERROR
        if _note_time(loop, model, data, 0.0):
            return _NOTICE
    # A forward pass may also cause a warning, although no step follows.
    if notes.warnings != loop.warnings:
        return _NOTICE
    if loop.lockstep != 0:
        call_at(loop.repeat, loop.lockstep, 0, 0, 0)
    wait(loop.wake, _IDLE_NS)
    return _COMMAND


@own_function()
def _due(loop: np.record) -> bool:
    """Returns whether the next step is due; waits for it, unless a command arrives."""
    late = monotonic_ns() - loop.deadline_ns
    # The first step is due at once, and later steps are due relative to it.
    if loop.deadline_ns == 0:
        loop.deadline_ns += late
        return True
    if late < -loop.spin_ns:
        # In parts, so that `turns` keeps increasing during a long wait, for the watchdog.
        wait(loop.wake, min(-late - loop.spin_ns, _SLEEP_NS))
        return False
    # Spins for the rest: a sleep ends about 20 us late, even with sharp timers.
    while late < 0:
        late = monotonic_ns() - loop.deadline_ns
    loop.late_ns[loop.late_count % LATENESS] = late
    loop.late_count += 1
    if late > _LAG_NS:
        loop.deadline_ns += late
    return True


@own_function()
def _step(loop: np.record, notes: np.record, guard: int, model: int, data: int, table: int) -> int:
    """Makes one full step and records its results."""
    # Callbacks are not timed in every step: two readings of the clock take several times as long
    # as a call.
    record_at(table, TABLE).measure = (loop.steps & _SAMPLING) == 0
    # The timestep is read before the step, because a callback may change it.
    options = model_at(model).opt
    timestep = options.timestep
    if _take(loop, guard, model, data):
        return _ERROR
    if guarded_call(guard, loop.step, model, data, table):
        return _ERROR
    jumped = _note_time(loop, model, data, timestep)
    loop.steps += 1
    step_ns = 0
    if loop.realtime > 0 and loop.burst == 0:
        # A tiny `realtime` gives more nanoseconds than an integer can hold.
        step_ns = np.int64(min(options.timestep / loop.realtime * 1e9, _FOREVER_NS))
        loop.deadline_ns += step_ns
    loop.step_ns = step_ns  # written once, because the clock may read it at any time
    # A jump starts a new epoch, in which messages from the last epoch do not count.
    held = loop.lockstep != 0 and not jumped
    if held and call_at(loop.take_earlier, loop.lockstep, guard, model, data) != 0:
        return _ERROR
    loop.unsent = 1
    finished = loop.remaining == 1
    if loop.remaining > 0:
        loop.remaining -= 1
    stepped = loop.burst == 1
    if loop.burst > 0:
        loop.burst -= 1
    # No further turn follows that would record this time for the clock.
    if finished:
        note_time(loop)
        return _FINISHED
    if jumped or notes.warnings != loop.warnings:
        return _NOTICE
    return _STEPPED if stepped else _COMMAND
