"""Compiled: passes samples of the data from the physics loop to a sending thread.

The loop writes a sample into each ring in which one is due. The ring's reader, on its own thread,
fills a message for each outlet that was due and passes it to a C function.
"""

from __future__ import annotations

import mujoco
import numpy as np

from ..message_records import MEMBER, OUTLET, RING, SLOT, Derived
from ..pipe_records import PIPE
from ..records import LOOP
from . import mujoco_functions as _functions  # noqa: F401  (makes mujoco.mj_forward callable)
from .addresses import array_at, record_at
from .dispatch import call_reporter, call_with_message, function_of
from .guarded_call import guarded_call
from .message_schedules import note_due, plan
from .own_functions import own_function
from .stamp_memory import set_stamp_at
from .struct_attributes import data_at, model_at
from .system import acquire, call_at, copy_memory, fence, monotonic_ns, signal, wait
from .user_sensors import FIRST, give_back_user_sensors, keep_sensors

_WAIT_NS = 200_000_000
"""After this time in ns without a sample, the reader requests one while the loop is paused."""
_GATHER_NS = 1_000_000
"""Minimum interval in ns between two wake-ups of the reader while requested steps are running."""
_LISTENERS = int(OUTLET.fields['listeners'][1])  # type: ignore[index]
"""The offset of the number of listeners in an OUTLET."""
_STOP, _FINISH = 1, 2
"""Requests to a ring's reader: return at once, or after sending all samples."""
_POSES, _SENSORS = int(Derived.POSES), int(Derived.SENSORS)


@own_function()
def serve_rings(loop: np.record, guard: int, model: int, data: int) -> int:
    """Writes a sample into each ring in which one is due; returns 1 after a fatal error."""
    if loop.failed:
        return 0
    addresses = array_at(loop.ring_addresses, loop.rings, np.int64)
    for index in range(loop.rings):
        ring = record_at(addresses[index], RING)
        typed = model_at(model)
        time = data_at(data, typed).time
        if note_due(loop, ring, time, typed.opt.timestep):
            # The physics never waits for a reader: samples that do not fit are dropped and
            # counted.
            if ring.written - ring.read >= ring.capacity:
                ring.full = 1
            elif _write(loop, ring, guard, model, data):
                return 1
            elif ring.inline != 0:
                _deliver_here(ring, addresses[index], guard)
        _wake(loop, ring)
    return 0


@own_function()
def _deliver_here(ring: np.record, address: int, guard: int) -> None:
    """Sends the messages of the sample just written, on the loop's thread."""
    if guarded_call(guard, ring.deliver, address, 0, 0):
        _report_failure(ring, guard)
    ring.current = 0
    ring.read += 1


@own_function()
def _write(loop: np.record, ring: np.record, guard: int, model: int, data: int) -> int:
    """Copies the data into a free slot, and schedules the next messages."""
    index = _free(ring)
    acquire()  # the reader released the slot before it increased `read`
    slot = array_at(ring.slots, ring.capacity, SLOT)[index]
    if guarded_call(guard, loop.copy, slot.data, model, data):
        return 1
    nv = model_at(model).nv
    # Copies of the data have no callbacks, so a forward pass adds the callbacks' forces from the
    # slot.
    slot.has_passive = loop.passive
    if loop.passive != 0:
        added = array_at(loop.passive, nv, np.float64)
        mujoco.mju_copy(array_at(slot.passive, nv, np.float64), added, nv)
    slot.epoch, slot.steps, slot.derived = loop.epoch, loop.steps, 0
    slot.ros_offset = loop.ros_offset
    _copy_states(ring, slot)
    typed = model_at(model)
    plan(loop, ring, slot, data_at(data, typed).time, typed.opt.timestep)
    ring.again, ring.written_ns = 0, monotonic_ns()
    ring.last = index
    # Written before the count, because the reader polls the count.
    array_at(ring.order, ring.capacity, np.int64)[_place(ring, ring.written)] = index
    fence()
    ring.written += 1
    fence()  # pairs with the fence in `read_ring` after `sleeps` is set
    return 0


@own_function()
def _wake(loop: np.record, ring: np.record) -> None:
    """Wakes the reader if it is sleeping and samples are waiting.

    Requested steps may take less time than waking a thread. While they run, the reader is woken
    for several samples at a time, unless a lockstep waits for the messages.
    """
    waiting = ring.written - ring.read
    if ring.sleeps == 0 or waiting == 0:
        return
    gathers = loop.burst > 0 and loop.lockstep == 0 and 2 * waiting < ring.capacity
    if gathers and ring.written_ns - ring.woken_ns < _GATHER_NS:
        return
    ring.sleeps, ring.woken_ns = 0, ring.written_ns
    signal(ring.event)


@own_function()
def _free(ring: np.record) -> int:
    """Returns the index of a free slot.

    If no sample is waiting, this is always the first slot, whose memory is still in the CPU cache.
    Using the slots in turn doubles the time of a copy, and evicts memory that the next step needs.
    """
    return 0 if ring.read == ring.written else _place(ring, ring.last + 1)


@own_function()
def _place(ring: np.record, number: int) -> int:
    place: int = number & (ring.capacity - 1)
    return place


@own_function()
def _copy_states(ring: np.record, slot: np.record) -> None:
    """Copies the state records of outlets that use the state at the time of the sample."""
    members = array_at(ring.members, ring.member_count, MEMBER)
    for index in range(len(members)):
        member = members[index]
        outlet = record_at(member.outlet, OUTLET)
        if member.copied >= 0:
            copy_memory(slot.states + member.copied, outlet.state, outlet.state_size)


def read_ring(address: int, guard: int) -> int:
    """Delivers the samples of a ring as they arrive, until Python sets `wanted`.

    Samples that were written before `wanted` became _FINISH are still delivered.
    """
    ring = record_at(address, RING)
    loop = record_at(ring.loop, LOOP)
    while ring.wanted != _STOP:
        ring.turns += 1
        # `wanted` is read before `written`, so samples that were written before `wanted` was set
        # are seen below.
        finishing = ring.wanted == _FINISH
        fence()
        if ring.read != ring.written:
            fence()
            if guarded_call(guard, ring.deliver, address, 0, 0):
                _report_failure(ring, guard)
            ring.current = 0
            fence()
            ring.read += 1
            continue
        if finishing:
            break
        # The reader sets `sleeps` and then reads `written`; the loop sets `written` and then reads
        # `sleeps`. With a full fence in between on both sides, at least one of them sees the
        # other's write.
        ring.sleeps = 1
        fence()
        if ring.read == ring.written:
            wait(ring.event, _WAIT_NS)
        ring.sleeps = 0
        # A paused loop makes no steps, but late subscribers must receive the state too.
        if ring.read == ring.written and loop.paused:
            ring.again = 1
    return 0


@own_function()
def _report_failure(ring: np.record, guard: int) -> None:
    """Reports the guard's fatal error to the outlet whose message was being filled."""
    members = array_at(ring.members, ring.member_count, MEMBER)
    outlet = record_at(members[ring.current - 1].outlet, OUTLET)
    call_reporter(outlet.reporter, guard)


def deliver(address: int, unused: int, also_unused: int) -> int:
    """Fills and sends the messages that were due in the ring's oldest sample.

    Returns early once Python has requested _STOP, because another thread may then serve the
    remaining outlets.
    """
    ring = record_at(address, RING)
    order = array_at(ring.order, ring.capacity, np.int64)
    slot = array_at(ring.slots, ring.capacity, SLOT)[order[_place(ring, ring.read)]]
    due = array_at(slot.due, ring.schedule_count, np.uint8)
    members = array_at(ring.members, ring.member_count, MEMBER)
    for index in range(len(members)):
        member = members[index]
        if due[member.schedule] == 0:
            continue
        ring.current = index + 1
        fence()  # another thread sets `wanted`, and then reads `current`
        if ring.wanted == _STOP:
            break
        _send(member, slot, ring.model)
    return 0


@own_function()
def _send(member: np.record, slot: np.record, model: int) -> None:
    """Fills and sends one message, unless its outlet is closed or its function declines."""
    outlet = record_at(member.outlet, OUTLET)
    function = function_of(outlet)
    # Checked before recomputing the data, which is most of the work.
    if function == 0 or not _is_heard(outlet, member.outlet):
        return
    typed = model_at(model)
    data = data_at(slot.data, typed)
    _derive(slot, typed, data, outlet.derived)
    ros_time = data.time + slot.ros_offset
    if outlet.stamp != 0:
        # Set before the function runs, because the function may set another stamp.
        set_stamp_at(outlet.stamp, ros_time)
    state = outlet.state if member.copied < 0 else slot.states + member.copied
    start = monotonic_ns()
    wanted = call_with_message(
        function, state, model, slot.data, outlet.message, outlet.timed, ros_time, outlet.reporter
    )
    spent = monotonic_ns() - start
    outlet.cost_ns += (spent - outlet.cost_ns) * (0.05 if outlet.published else 1.0)
    if wanted == 0 or function_of(outlet) == 0:  # declined, or the outlet has been closed
        return
    pipe = outlet.pipe  # read once, because a filter may end on another thread
    if pipe != 0:
        held = record_at(pipe, PIPE)
        held.time_s = data.time
        outlet.code = call_at(held.push, pipe, outlet.message, 0, 0)
    else:
        outlet.code = call_at(outlet.publish, outlet.handle, outlet.message, 0, 0)
    outlet.published += 1
    if outlet.code != 0:
        outlet.errors += 1
        call_at(outlet.forget_error, 0, 0, 0, 0)


@own_function()
def _is_heard(outlet: np.record, address: int) -> bool:
    """Returns whether to fill a message: the outlet has subscribers, or does not count them."""
    if outlet.count == 0:
        return True
    call_at(outlet.count, outlet.handle, address + _LISTENERS, 0, 0)
    return bool(outlet.listeners != 0)


@own_function()
def _derive(slot: np.record, model: mujoco.MjModel, data: mujoco.MjData, wanted: int) -> None:
    """Recomputes the quantities of level `wanted` in the copy, unless they are up to date."""
    if slot.derived >= wanted:
        return
    # Outlets are sorted by `derived`, so the copy is recomputed at most once per level.
    slot.derived = wanted
    if wanted == _SENSORS:
        keep_sensors(model, data, slot.sensors)
        _forward(slot, model, data)
        give_back_user_sensors(model, data, slot.sensors, FIRST)
        return
    # The parts of MuJoCo's position and velocity stages that poses and velocities need, in
    # MuJoCo's order.
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_camlight(model, data)
    mujoco.mj_flex(model, data)
    mujoco.mj_tendon(model, data)
    mujoco.mj_comVel(model, data)


@own_function()
def _forward(slot: np.record, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Makes a forward pass, adding the forces of passive callbacks as applied forces.

    Clears the flag that marks the copied kinetic energy as up to date; otherwise MuJoCo would not
    recompute the energy.
    """
    data.flg_energyvel = False
    if slot.has_passive == 0:
        mujoco.mj_forward(model, data)
        return
    nv = model.nv
    passive = array_at(slot.passive, 2 * nv, np.float64)
    mujoco.mju_copy(passive[nv:], data.qfrc_applied, nv)
    mujoco.mju_addTo(data.qfrc_applied, passive[:nv], nv)
    mujoco.mj_forward(model, data)
    mujoco.mju_copy(data.qfrc_applied, passive[nv:], nv)
    mujoco.mju_addTo(data.qfrc_passive, passive[:nv], nv)
