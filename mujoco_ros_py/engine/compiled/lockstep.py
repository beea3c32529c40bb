"""Compiled: holds the loop at the beginning of each period until the answers to it have come."""

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
"""What the loop does next: step, wait on, tell Python that it waits, or report a fatal error."""
_EARLY = 0.01
"""The share of a timestep by which a period may begin early, as the time is a sum of rounded
timesteps."""
_SPIN_NS = 30_000
"""The time in ns for which the loop polls for the answers of a period before it sleeps, in real
time."""
_LONG_SPIN_NS = 500_000
"""The time in ns for which the loop polls where the simulation is as fast as it can be."""
_REPEAT_NS = 200_000_000
"""After so many ns a state is repeated, where a controller may have come after it."""
_SLEEP_NS = 1_000_000
"""The longest time in ns that the loop sleeps at once; an answer wakes it."""


# The functions without a decorator are C functions, as in `kernel`. The loop calls them by their
# addresses, so that they are compiled only if there is a lockstep.


def await_answers(address: int, guard: int, model: int, data: int) -> int:
    """Waits a little for the answers to the state of this period, and says what comes next."""
    lock = record_at(address, LOCKSTEP)
    loop = record_at(lock.loop, LOOP)
    typed = model_at(model)
    time, early = data_at(data, typed).time, _EARLY * typed.opt.timestep
    if lock.epoch != loop.epoch:
        _begin(loop, lock, time)
    if time + early < lock.next_s:
        return STEP
    # 0 stands for a wait that has not begun, as the monotonic clock is never 0.
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
        # To wake a thread takes tens of microseconds, which many answers do not need; to spin on
        # would keep a core from the controllers.
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
    """Takes the messages that came before a period, if answers count by their arrival.

    They are commands, but do not answer a state that was not sent yet. This must be called before
    the clock has the time of the period, as a controller may answer that. Returns 1 after a fatal
    error.
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
    """Begins an epoch: no answer of the last one counts."""
    lock.epoch, lock.next_s = loop.epoch, time
    lock.since_ns, lock.reported, lock.go_on, lock.resumed = 0, 0, 0, 0
    if loop.inlets == 0:
        return
    inlets = record_at(loop.inlets, INLETS)
    inlets.skipped_ns = NEVER
    addresses = array_at(inlets.addresses, inlets.count, np.int64)
    for index in range(len(addresses)):
        record_at(addresses[index], INLET).answered_ns = NEVER


@own_function()
def _answered(loop: np.record, now_ns: int) -> bool:
    """Returns whether every inlet that is awaited has had an answer to the present state."""
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
    """Returns whether a message of an inlet that is awaited has never come."""
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
    """Has the moment of a pause sent now and then, as the loop sends the messages itself."""
    _repeat(record_at(record_at(address, LOCKSTEP).loop, LOOP))
    return 0


@own_function()
def _repeat(loop: np.record) -> None:
    """Has the state of this moment sent again, where it was sent long ago."""
    now = monotonic_ns()
    addresses = array_at(loop.ring_addresses, loop.rings, np.int64)
    for index in range(len(addresses)):
        ring = record_at(addresses[index], RING)
        if now - ring.written_ns > _REPEAT_NS:
            ring.again = 1


@own_function()
def _pass(loop: np.record, lock: np.record, time: float, early: float) -> None:
    """Lets the loop step until the next period; periods count from the beginning of the epoch."""
    if lock.go_on != 0 and loop.inlets != 0:
        record_at(loop.inlets, INLETS).skipped_ns = nanoseconds_of(time + loop.ros_offset)
    # From the beginning of the epoch and not from the last period, so that no rounding adds up.
    passed = np.floor((time + early - loop.begin) / lock.period_s)
    lock.next_s = loop.begin + (passed + 1.0) * lock.period_s
    lock.periods += 1 - lock.go_on
    lock.since_ns, lock.reported, lock.go_on, lock.resumed = 0, 0, 0, 0
