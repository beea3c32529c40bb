"""The fixture of pytest by which a test gets the run that it judges."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .finished_run import FOLDER_VARIABLE, FinishedRun, read_finished


@pytest.fixture
def sweep_run() -> FinishedRun:
    """The run of a sweep that the test judges."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder is None:
        pytest.skip('it judges runs of `mujoco_ros_py sweep`, which is not running')
    return read_finished(Path(folder))
