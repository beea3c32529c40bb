"""A display without a screen, for tests of windows."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest


@pytest.fixture(scope='module')
def display() -> Iterator[str]:
    """Yields the name of a display of its own; skips where no Xvfb is installed."""
    if shutil.which('Xvfb') is None:
        pytest.skip('no Xvfb is installed')
    read, write = os.pipe()
    process = subprocess.Popen(
        ['Xvfb', '-displayfd', str(write), '-screen', '0', '1440x900x24', '-nolisten', 'tcp'],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    try:
        with os.fdopen(read) as told:
            number = told.readline().strip()
        assert number, 'Xvfb has ended'
        yield f':{number}'
    finally:
        process.kill()
        process.wait()
