"""A finished run, as passed to the functions and tests that judge it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import mujoco
import numpy as np

from ..errors import SimulationError, TimeLimitError
from ..processes.process_groups import Reaper
from ..testing.derived_values import Derivation, Sample
from ..testing.state import State
from ..testing.state_places import StatePlaces
from .run_spec import RunSpec

FOLDER_VARIABLE = 'SWEEP_FOLDER'
"""The environment variable that passes the run's folder to the test that judges the run."""
_MODEL, _FINAL, _ABOUT = 'model.mjb', 'final.npz', 'finished.json'
_FAILED = 1


@dataclass(frozen=True, kw_only=True)
class FinishedRun:
    """A finished run, the argument of a `success` function or test."""

    values: Mapping[str, Any]
    """The run's values, by name."""
    measures: Mapping[str, Any]
    """The results of the `measures` expressions, by name."""
    state: State
    """The last state, with access by name."""
    model: mujoco.MjModel
    """The compiled model of the run."""
    folder: Path
    """The folder with `recording.mcap`, `server.log` and the logs of the controllers."""

    @property
    def time(self) -> float:
        """The simulated time in seconds at the end."""
        return self.state.time

    @property
    def recording(self) -> Path:
        """The path of the recording; open it with `mujoco_ros_py.recording.RecordedRun`."""
        return self.folder / 'recording.mcap'


def write_finished(
    folder: Path,
    spec: RunSpec,
    model: mujoco.MjModel,
    state: State,
    measures: Mapping[str, object],
) -> None:
    """Writes the files from which the judging process reads the run."""
    mujoco.mj_saveModel(model, str(folder / _MODEL))
    parts = {name: part for name, part in state.sample._asdict().items() if part is not None}
    np.savez(folder / _FINAL, **parts)
    about = {'values': spec.values, 'measures': dict(measures)}
    (folder / _ABOUT).write_text(json.dumps(about))


def read_finished(folder: Path) -> FinishedRun:
    """Reads the files of `write_finished`."""
    model = mujoco.MjModel.from_binary_path(str(folder / _MODEL))
    with np.load(folder / _FINAL) as parts:
        sample = Sample(**parts)
    about = json.loads((folder / _ABOUT).read_text())
    state = State(sample, StatePlaces(model), Derivation(model))
    return FinishedRun(**about, state=state, model=model, folder=folder)


def judged(spec: RunSpec, folder: Path, variables: Mapping[str, str], limit_s: float) -> str:
    """Judges the run by a function or a test in a separate process; returns why the run fails.

    The result is empty if the run has passed. The process ends if this process ends. Raises
    SimulationError if the judgement itself fails, and TimeLimitError if it takes longer than
    `limit_s`.
    """
    function = spec.success['function']
    judge = ['-m', f'{__package__}.judgement', str(folder), function]
    fixture = ['-p', f'{__package__}.sweep_run_fixture', '-p', 'no:cacheprovider', '-q']
    words = judge if function else ['-m', 'pytest', *fixture, spec.success['test']]
    variables = {**variables, FOLDER_VARIABLE: str(folder)}
    with TemporaryFile() as output, closing(Reaper()) as reaper:
        judging = reaper.start(
            [sys.executable, *words], Path(spec.folder), variables, output.fileno()
        )
        try:
            code = judging.wait(limit_s)
        except subprocess.TimeoutExpired:
            raise TimeLimitError(f'success: not judged within {limit_s:g} s') from None
        finally:
            judging.end(0.0)
        output.seek(0)
        told = output.read().decode(errors='replace').strip()
    if code == 0:
        return ''
    told = told or f'the judgement has ended with the code {code}'
    if code != _FAILED:
        raise SimulationError(f'success: the run cannot be judged:\n{told}')
    return told
