"""The pytest fixture with the run that a test judges."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .finished_run import FOLDER_VARIABLE, FinishedRun, read_finished


@pytest.fixture
def sweep_run() -> FinishedRun:
    """Returns the run that this test must judge; skips the test outside a sweep."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder is None:
        pytest.skip('this test judges runs of `mujoco_ros_py sweep`, and none is given')
    return read_finished(Path(folder))
