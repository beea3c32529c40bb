"""Records of the messages that a filter delays, drops or repeats."""

from __future__ import annotations

import numpy as np

from .c_types import MUTEX

COPIES = 8
"""The maximum number of copies of one message that a filter can deliver."""

TRANSIT = np.dtype(
    [
        ('time', np.float64),  # time at which the message was published or arrived, in s
        # index of the message: the sample's, or the number of earlier messages since `clear`
        ('number', np.int64),
        ('filter', np.int64),  # number that the plugin gave to the filter
        ('message', np.int64),  # address of the message; the function can change its numbers
        # The function writes the following fields.
        ('copies', np.int64),  # number of copies to deliver; 0: the message is lost
        ('delays', np.float64, COPIES),  # delay of each copy, in s
        ('again', np.int64),  # whether the last delivered message is delivered again instead
        ('restamp', np.int64),  # whether the stamp becomes the time of delivery
    ]
)
"""A message on its way through a filter."""

HELD = np.dtype(
    [
        ('message', np.int64),  # address of the message
        ('due_s', np.float64),  # time at which the message is delivered
        ('again', np.int64),  # as in TRANSIT
        ('restamp', np.int64),
    ]
)
"""A message that a PIPE holds back."""

PIPE = np.dtype(
    [
        ('function', np.int64),  # address of the filter's compiled code; 0: messages pass
        ('state', np.int64),  # address of the function's state record
        ('reporter', np.int64),  # address of the Python object that is called with exceptions
        ('loop', np.int64),  # address of the LOOP
        ('table', np.int64),  # address of the PIPES; 0: an inlet takes the messages
        ('push', np.int64),  # address of the function `push_message`
        ('copy', np.int64),  # address of the C function `copy(source, target)`
        # address of the C function `publish(handle, message, 0)`
        ('publish', np.int64),
        ('forget_error', np.int64),  # as in OUTLET
        ('handle', np.int64),
        ('stamp', np.int64),  # offset of the stamp in a message; -1: no stamp
        ('by_stamp', np.int64),  # whether the stamp is the time at which a message is published
        # period of the messages, which are numbered by their times; 0: they are counted
        ('period_s', np.float64),
        # address of the C function `grow()`, which adds memory for messages
        ('grow', np.int64),
        ('transit', np.int64),  # address of the TRANSIT
        ('held', np.int64),  # address of the HELDs
        # address of the indices of the HELDs: those in use, sorted by time, then the free ones
        ('order', np.int64),
        ('capacity', np.int64),  # number of HELDs
        ('last', np.int64),  # address of the message that was delivered last
        ('closed', np.int64),  # whether the pipe is closed and drops all messages
        # Compiled code writes the following fields while it holds `lock`.
        ('delivered', np.int64),  # whether `last` contains a message
        ('count', np.int64),  # number of HELDs in use
        ('due_s', np.float64),  # time at which the first message is due; inf: none
        ('number', np.int64),  # number of messages since the pipe was cleared
        ('pushed_s', np.float64),  # time of the last sample; NaN: none
        ('lost', np.int64),  # number of messages of which no copy is delivered
        ('errors', np.int64),  # number of errors of `publish`
        # time of the pushed message, written by the reader of a ring; NaN: use the loop's time
        ('time_s', np.float64),
        ('lock', np.uint8, MUTEX),  # pthread mutex
    ],
    align=True,
)
"""The messages of one topic that a filter holds back."""

PIPES = np.dtype(
    [
        ('wanted', np.int64),  # return to Python
        ('loop', np.int64),  # address of the LOOP
        ('event', np.int64),  # eventfd that wakes the thread that delivers
        ('inline', np.int64),  # whether the loop delivers the messages itself
        ('addresses', np.int64),  # address of the addresses of the PIPEs
        ('count', np.int64),  # number of PIPEs
        # time at which the first message is due; inf: none, or the thread is woken already
        ('due_s', np.float64),
        ('lock', np.uint8, MUTEX),  # pthread mutex for `due_s`
    ],
    align=True,
)
"""The pipes of all publishers of a loop."""
