"""Where messages enter and leave compiled code: inlets and outlets.

Each has a record that the loop or the reader of a ring goes through, and keeps alive what the
record points to. Both work with C functions, and do not know who is behind these.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import EngineError
from .exception_places import locate
from .machine_code import Loaded
from .message_records import INLET, OUTLET, Derived
from .records import structure
from .state_record import State

OnFault = Callable[[BaseException], None]
"""A function that is called with what compiled code raised, or with MuJoCo's fatal error."""


@dataclass(frozen=True, slots=True)
class Port:
    """The C functions by which messages are taken or published, and their arguments."""

    call: int
    """The address of `take(handle, message, 0, 0)` or `publish(handle, message, 0)`."""
    handle: int
    """The first argument of the function."""
    message: int
    """The address of the message."""
    forget_error: int
    """The address of a function without arguments, which clears the error of a failed call."""
    nothing: int = 0
    """What `take` returns if there is no message."""
    count: int = 0
    """The address of `count(handle, number)`, which writes the number of subscribers as a size_t;
    0: it is unknown."""
    release: Callable[[], object] = lambda: None
    """Is called once compiled code uses the port no more."""
    keep: Any = None
    """The objects that must stay alive until then."""


@dataclass(frozen=True, slots=True)
class MessageCode(Loaded):
    """The machine code of a function that fills or reads messages."""

    timed: bool
    """Whether the function takes the ROS time after the message."""


class End:
    """What inlets and outlets have in common: code with a state, and a port."""

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
        """The name in messages, such as that of the topic."""
        self._records = np.zeros(1, layout)
        self.record = structure(layout).from_buffer(self._records)
        self.address = int(self._records.ctypes.data)
        self.closed = False
        self._port, self._keep = port, (code, state)
        self._released = False
        self._lock = threading.Lock()
        self.error: Callable[[], str] = str
        """Tells MuJoCo's last fatal error where it is known; set by the ring of an outlet."""
        # Kept here, as the record has its address only.
        self._report = _reporter(on_fault, lambda: self.error())
        record = self.record
        record.function, record.timed = code.address, int(code.timed)
        record.state = 0 if state is None else state.__array_interface__['data'][0]
        record.handle, record.message = port.handle, port.message
        record.forget_error, record.reporter = port.forget_error, id(self._report)

    def disable(self) -> None:
        """Ends the calls of the code; one call may still be under way."""
        self.closed = True
        # Compiled code reads it once for each call: the present call ends, and no other begins.
        self.record.function = 0

    def release(self) -> None:
        """Releases the port; nothing compiled may use the record any more."""
        with self._lock:
            # Closing a plugin and reading the ring happen on two threads.
            if self._released:
                return
            self._released = True
        self.error = str  # the ring is freed at once, and not when circles are looked for
        self._port.release()


class Inlet(End):
    """Reads messages in compiled code on the physics thread, at the head of a step."""

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

        An inlet that is `awaited` gives a message to the loop in each period of the lockstep: the
        one with the stamp at which the period begins, or by arrival the first one that comes after
        that. Only by arrival may messages have no stamp.
        """
        super().__init__(INLET, name, code, state, port, on_fault)
        record = self.record
        record.take, record.nothing, record.stamp = port.call, port.nothing, stamp
        record.awaited, record.answered_ns = int(awaited), -1


class Outlet(End):
    """Fills messages in compiled code beside the physics, at a rate of simulated time."""

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

        With `copies_state` the code gets a copy of the state as it was when the sample was taken.
        With `only_heard` it is not called while the port has no subscribers.
        """
        super().__init__(OUTLET, name, code, state, port, on_fault)
        self.period_s = period_s
        self.copied_bytes = 0 if state is None or not copies_state else state.nbytes
        self.left_behind = False
        """Whether the code does not return, so that another thread serves the other outlets."""
        self.before: Outlet | None = None
        """The outlet that this one replaces; None once it has its place in time."""
        record = self.record
        record.publish, record.stamp, record.derived = port.call, stamp, int(derived)
        record.state_size = self.copied_bytes
        record.count = port.count if only_heard else 0


def _reporter(
    on_fault: OnFault, explain: Callable[[], str]
) -> Callable[[int, BaseException | None], None]:
    def report(index: int, error: BaseException | None) -> None:
        if error is None:
            reason = explain()
            error = EngineError(f'MuJoCo reported a fatal error{reason and ": "}{reason}')
        else:
            locate(error)
        on_fault(error)

    return report
