"""Compiled: holds the loop at the beginning of each period until all answers have arrived."""

from __future__ import annotations

import numpy as np

from ..message_records import INLET, INLETS, LOCKSTEP, RING
from ..records import LOOP
from .addresses import array_at, record_at
from .guarded_call import guarded_call
from .inlets import NEVER
from .own_functions import own_function
from .stamp_memory import nanoseconds_of
from .struct_attributes import data_at, model_at
from .system import monotonic_ns, wait

STEP, WAIT, REPORT, FAIL = range(4)
"""The loop's next action: step, keep waiting, report the wait to Python, or report a fatal
error."""
_EARLY = 0.01
"""Fraction of a timestep by which a period can begin early, because times are sums of rounded
timesteps."""
_SPIN_NS = 30_000
"""How long in ns the loop polls for answers before it sleeps, if the simulation is paced."""
_LONG_SPIN_NS = 500_000
"""How long in ns the loop polls if the simulation runs as fast as possible."""
_REPEAT_NS = 200_000_000
"""Time in ns after which a state is sent again if a controller may have missed it."""
_SLEEP_NS = 1_000_000
"""Maximum duration of a sleep in ns; an answer ends the sleep."""


# Functions without a decorator are C functions, as in `kernel`. The loop calls them by address, so
# they are only compiled if a lockstep is used.


def await_answers(address: int, guard: int, model: int, data: int) -> int:
    """Waits briefly for the answers to this period's state; returns the loop's next action."""
    lock = record_at(address, LOCKSTEP)
    loop = record_at(lock.loop, LOOP)
    typed = model_at(model)
    time, early = data_at(data, typed).time, _EARLY * typed.opt.timestep
    if lock.epoch != loop.epoch:
        _begin(loop, lock, time)
    if time + early < lock.next_s:
        return STEP
    # 0 means not waiting: the monotonic clock is never 0.
    if lock.since_ns == 0:
        lock.since_ns = monotonic_ns()
    longest_ns = _LONG_SPIN_NS if loop.realtime < 0 else _SPIN_NS
    while True:
        if loop.inlets != 0 and guarded_call(guard, lock.take_answers, loop.inlets, model, data):
            return FAIL
        if lock.go_on != 0 or _answered(loop, nanoseconds_of(time + loop.ros_offset)):
            _pass(loop, lock, time, early)
            return STEP
        waited_ns = monotonic_ns() - lock.since_ns
        # Spins at first, because waking a thread takes tens of microseconds, longer than many
        # answers. Spinning longer would take a core from the controllers.
        if loop.wanted != 0 or waited_ns > longest_ns:
            break
    if lock.resumed != 0 or _is_unheard(loop):
        _repeat(loop)
    wait(loop.wake, _SLEEP_NS)
    if lock.limit_ns > 0 and lock.reported == 0 and waited_ns > lock.limit_ns:
        lock.reported = 1
        return REPORT
    return WAIT


def take_earlier(address: int, guard: int, model: int, data: int) -> int:
    """Takes the messages that arrived before a period, if messages answer by arrival.

    These messages are commands, but cannot answer a state that has not been sent yet. Call this
    before the clock receives the time of the period, because a controller may answer that time.
    Returns 1 after a fatal error.
    """
    lock = record_at(address, LOCKSTEP)
    loop = record_at(lock.loop, LOOP)
    if loop.inlets == 0:
        return 0
    by_arrival = record_at(loop.inlets, INLETS).by_arrival
    typed = model_at(model)
    begins = data_at(data, typed).time + _EARLY * typed.opt.timestep >= lock.next_s
    if by_arrival == 0 or lock.epoch != loop.epoch or not begins:
        return 0
    failed: int = guarded_call(guard, loop.take_all, loop.inlets, model, data)
    return failed


@own_function()
def _begin(loop: np.record, lock: np.record, time: float) -> None:
    """Starts an epoch; answers of the previous epoch do not count."""
    lock.epoch, lock.next_s = loop.epoch, time
    # Keeps `resumed`: the epoch of a reset during a pause begins after the pause, and a controller
    # that started in the pause still needs the state.
    lock.since_ns, lock.reported, lock.go_on = 0, 0, 0
    if loop.inlets == 0:
        return
    inlets = record_at(loop.inlets, INLETS)
    inlets.skipped_ns = NEVER
    addresses = array_at(inlets.addresses, inlets.count, np.int64)
    for index in range(len(addresses)):
        record_at(addresses[index], INLET).answered_ns = NEVER


@own_function()
def _answered(loop: np.record, now_ns: int) -> bool:
    """Returns whether every awaited inlet has answered the current state."""
    if loop.inlets == 0:
        return True
    inlets = record_at(loop.inlets, INLETS)
    addresses = array_at(inlets.addresses, inlets.count, np.int64)
    for index in range(len(addresses)):
        inlet = record_at(addresses[index], INLET)
        # A closed inlet never answers.
        if inlet.awaited != 0 and inlet.function != 0 and inlet.answered_ns != now_ns:
            return False
    return True


@own_function()
def _is_unheard(loop: np.record) -> bool:
    """Returns whether any awaited inlet has never received a message.

    Its controller may have missed the state, because it was not listening yet.
    """
    if loop.inlets == 0:
        return False
    inlets = record_at(loop.inlets, INLETS)
    addresses = array_at(inlets.addresses, inlets.count, np.int64)
    for index in range(len(addresses)):
        inlet = record_at(addresses[index], INLET)
        if inlet.awaited != 0 and inlet.function != 0 and inlet.taken == 0:
            return True
    return False


def repeat(address: int) -> int:
    """Requests the state again during a pause, in which `await_answers` is not called."""
    _repeat(record_at(record_at(address, LOCKSTEP).loop, LOOP))
    return 0


@own_function()
def _repeat(loop: np.record) -> None:
    """Requests another sample for each ring whose last sample is older than `_REPEAT_NS`."""
    now = monotonic_ns()
    addresses = array_at(loop.ring_addresses, loop.rings, np.int64)
    for index in range(len(addresses)):
        ring = record_at(addresses[index], RING)
        if now - ring.written_ns > _REPEAT_NS:
            ring.again = 1


@own_function()
def _pass(loop: np.record, lock: np.record, time: float, early: float) -> None:
    """Allows steps until the next period; periods are counted from the start of the epoch."""
    if lock.go_on != 0 and loop.inlets != 0:
        record_at(loop.inlets, INLETS).skipped_ns = nanoseconds_of(time + loop.ros_offset)
    # Computed from the start of the epoch, so that rounding errors do not add up.
    passed = np.floor((time + early - loop.begin) / lock.period_s)
    lock.next_s = loop.begin + (passed + 1.0) * lock.period_s
    lock.periods += 1 - lock.go_on
    lock.since_ns, lock.reported, lock.go_on, lock.resumed = 0, 0, 0, 0
