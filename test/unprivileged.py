"""Runs a program that Linux permits nothing of real time, whoever runs the tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest

_DROP = """
import ctypes, os, resource, sys

PR_CAPBSET_DROP, CAP_IPC_LOCK, CAP_SYS_NICE = 24, 14, 23
for capability in (CAP_IPC_LOCK, CAP_SYS_NICE):  # for root; the call changes nothing for others
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
rtprio, memlock = (int(number) for number in sys.argv[1:3])
resource.setrlimit(resource.RLIMIT_RTPRIO, (rtprio, rtprio))
resource.setrlimit(resource.RLIMIT_MEMLOCK, (memlock, memlock))
os.execv(sys.argv[3], sys.argv[3:])
"""


def unprivileged(command: Sequence[str], rtprio: int = 0, memlock: int = 0) -> list[str]:
    """Returns the command that runs another one without privileges and with these limits.

    The test is skipped where a limit is lower by itself and cannot be raised.
    """
    drop = [sys.executable, '-c', _DROP, str(rtprio), str(memlock)]
    if subprocess.run([*drop, sys.executable, '-c', ''], stderr=subprocess.DEVNULL).returncode:
        pytest.skip(f'the limits cannot be {rtprio} and {memlock} here')
    return [*drop, *command]
