"""Inlets and outlets, through which messages enter and leave compiled code.

Each owns a record that the loop or the reader of a ring uses, and keeps alive the memory that the
record points to. Compiled code takes and publishes messages with the C functions of a `Port`, so
the engine does not depend on the transport.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import EngineError
from .exception_places import locate
from .guard_block import error_at
from .machine_code import Loaded
from .message_records import INLET, OUTLET, Derived
from .records import structure
from .state_record import State

OnFault = Callable[[BaseException], None]
"""Called with the exception of compiled code, or with MuJoCo's fatal error."""


@dataclass(frozen=True, slots=True)
class Port:
    """The C functions that take or publish messages, and their arguments."""

    call: int
    """The address of `take(handle, message, 0, 0)` or `publish(handle, message, 0)`."""
    handle: int
    """The first argument of the function."""
    message: int
    """The address of the message."""
    forget_error: int
    """The address of a function without arguments that clears the error of a failed call."""
    nothing: int = 0
    """The result of `take` if no message is waiting."""
    count: int = 0
    """The address of `count(handle, number)`, which writes the number of subscribers as a size_t;
    0 if the number is not available."""
    release: Callable[[], object] = lambda: None
    """Called once compiled code no longer uses the port."""
    keep: Any = None
    """Objects that must stay alive until `release` is called."""


@dataclass(frozen=True, slots=True)
class MessageCode(Loaded):
    """The machine code of a function that fills or reads messages."""

    timed: bool
    """Whether the function takes the ROS time as the parameter after the message."""


class End:
    """Base class of inlets and outlets: code with a state, and a port."""

    def __init__(
        self,
        layout: np.dtype[np.void],
        name: str,
        code: MessageCode,
        state: State | None,
        port: Port,
        on_fault: OnFault,
    ) -> None:
        self.name = name
        """The name used in log messages, such as the topic."""
        self._records = np.zeros(1, layout)
        self.record = structure(layout).from_buffer(self._records)
        self.address = int(self._records.ctypes.data)
        self.closed = False
        self._port, self._keep = port, (code, state)
        self._released = False
        self._lock = threading.Lock()
        # Stored here because the record only contains its address.
        self._report = report_to(on_fault)
        record = self.record
        record.function, record.timed = code.address, int(code.timed)
        record.state = 0 if state is None else state.__array_interface__['data'][0]
        record.handle, record.message = port.handle, port.message
        record.forget_error, record.reporter = port.forget_error, id(self._report)

    def disable(self) -> None:
        """Stops further calls of the code; one call may still be running."""
        self.closed = True
        # Compiled code reads the address before each call: a running call finishes, and no other
        # call starts.
        self.record.function = 0

    def release(self) -> None:
        """Releases the port; compiled code must not use the record afterwards."""
        with self._lock:
            # Two threads call this: one closes the plugin, the other reads the ring.
            if self._released:
                return
            self._released = True
        self._port.release()


class Inlet(End):
    """Reads messages in compiled code on the physics thread, at the start of a step."""

    def __init__(
        self,
        name: str,
        code: MessageCode,
        state: State | None,
        port: Port,
        on_fault: OnFault,
        *,
        stamp: int = 0,
        awaited: bool = False,
    ) -> None:
        """`stamp` is the address of the message's stamp.

        The lockstep waits in each period until every `awaited` inlet has received an answer. The
        answer is the message with the stamp of the period's start or, by arrival, the first
        message that arrives after the start. Messages without a stamp can only be awaited by
        arrival.
        """
        super().__init__(INLET, name, code, state, port, on_fault)
        record = self.record
        record.take, record.nothing, record.stamp = port.call, port.nothing, stamp
        record.awaited, record.answered_ns = int(awaited), -1


class Outlet(End):
    """Fills messages in compiled code, not on the physics thread, at a rate in simulated time."""

    def __init__(
        self,
        name: str,
        code: MessageCode,
        state: State | None,
        port: Port,
        on_fault: OnFault,
        *,
        period_s: float,
        stamp: int = 0,
        derived: Derived = Derived.STATE,
        copies_state: bool = True,
        only_heard: bool = False,
    ) -> None:
        """`stamp` is the address of the message's stamp, which is set before each message.

        With `copies_state` the code gets a copy of the state from the time of the sample. With
        `only_heard` the code is not called while the port has no subscribers.
        """
        super().__init__(OUTLET, name, code, state, port, on_fault)
        self.period_s = period_s
        self.copied_bytes = 0 if state is None or not copies_state else state.nbytes
        self.left_behind = False
        """Whether the code has hung, and another thread serves the other outlets."""
        self.before: Outlet | None = None
        """The outlet that this outlet replaces; None once this outlet has taken over the schedule
        of that outlet."""
        record = self.record
        record.publish, record.stamp, record.derived = port.call, stamp, int(derived)
        record.state_size = self.copied_bytes
        record.count = port.count if only_heard else 0


def report_to(on_fault: OnFault) -> Callable[[int, BaseException | None], None]:
    """Returns the function that compiled code calls with exceptions.

    For a fatal error of MuJoCo it gets the address of a GUARD record instead of an exception.
    """

    def report(guard: int, error: BaseException | None) -> None:
        if error is None:
            error = EngineError(f'MuJoCo reported a fatal error: {error_at(guard)}')
        else:
            locate(error)
        on_fault(error)

    return report
