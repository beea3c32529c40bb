"""How long a test waits for what must come, such as the end of a process."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

DEADLINE_S = 300.0
"""The only limit of time in the tests: whatever reaches it hangs, however busy the machine is."""


def until(condition: Callable[[], Any], what: str = 'what is waited for') -> Any:
    """Returns the first true value of the condition; AssertionError after the deadline."""
    end = time.monotonic() + DEADLINE_S
    while not (value := condition()):
        assert time.monotonic() < end, f'{what} did not come in time'
        time.sleep(0.001)
    return value


def runs(pid: int) -> bool:
    """Whether a process runs, which one that has ended and is not yet reaped does not."""
    try:
        return Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except (FileNotFoundError, ProcessLookupError):  # the latter if it ends between open and read
        return False
