"""The processes that tests start end with the tests, whatever ends these."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .harness import wait_until

PROGRAM = """
import time
from system.harness import Process
process = Process('http.server', ['0', '--bind', '127.0.0.1'], 1)
print(process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not shutil.which('setpriv'), reason='util-linux is not installed')
def test_a_process_ends_when_its_test_is_killed():
    tests = subprocess.Popen(
        [sys.executable, '-c', PROGRAM], cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with tests:
        assert tests.stdout is not None
        pid = int(tests.stdout.readline())
        os.kill(pid, 0)
        tests.send_signal(signal.SIGKILL)
    wait_until(lambda: has_ended(pid), 'the end of the process')


def has_ended(pid):
    try:
        return Path(f'/proc/{pid}/stat').read_text().rpartition(') ')[2].startswith('Z')
    except FileNotFoundError:
        return True
