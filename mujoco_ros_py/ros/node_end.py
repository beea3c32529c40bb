"""Destroys the node of a process that ends."""

from __future__ import annotations

import faulthandler

from rclpy.node import Node

_LONGEST_S = 5.0
_STDERR = 2
"""The descriptor for the traceback, because `sys.stderr` may have been replaced."""


def end_node(node: Node) -> None:
    """Destroys the last node of a process; exits with code 1 if that hangs.

    Fast DDS may wait forever for a discovery callback, with the GIL held, while it destroys its
    participant (eProsima/Fast-DDS#6513). The tracebacks of all threads then go to stderr.
    """
    faulthandler.dump_traceback_later(_LONGEST_S, exit=True, file=_STDERR)
    try:
        node.destroy_node()
    finally:
        faulthandler.cancel_dump_traceback_later()
