"""The end of a node."""

from __future__ import annotations

import faulthandler

from rclpy.node import Node

_LONGEST_S = 5.0
_STDERR = 2
"""The file of the traceback, as others may have replaced that of `sys`."""


def end_node(node: Node) -> None:
    """Destroys the last node of a process; ends the process with the code 1 if that hangs.

    Fast DDS may wait for a callback of discovery for ever, with the GIL held, while it destroys
    its participant (eProsima/Fast-DDS#6513). The traceback of all threads goes to stderr then.
    """
    faulthandler.dump_traceback_later(_LONGEST_S, exit=True, file=_STDERR)
    try:
        node.destroy_node()
    finally:
        faulthandler.cancel_dump_traceback_later()
