"""Repeats a run whose files were kept, by default with the viewer."""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import RecordingError, SweepError
from ..recording import RecordedRun
from ..testing.server_under_test import ServerUnderTest
from .outcome import Outcome
from .run_spec import RunSpec
from .single_run import ABOUT, RECORDING, run_in

_TOLD = re.compile(
    r'^viewer: (?P<address>\S+)|(?P<fault>[^\n]*)the simulation runs without it', re.M
)
_START_S = 60.0
_LOOK_S = 0.1


def repeat(folder: Path, *, headless: bool = False, realtime: float = 1.0) -> bool:
    """Repeats the run that is kept in a folder; returns whether verdict and state are the same.

    The model comes from the run's recording, even if the model file has changed since. With the
    viewer, the user starts and ends the run with Enter. Raises SweepError if the folder has no
    run, or the viewer does not start.
    """
    spec, before = kept_run(folder)
    own: dict[str, Any] = {'realtime': realtime}
    if not headless:
        own['viewer'] = 'web'
    spec = replace(spec, parameters={**spec.parameters, **own}, keep='nothing')
    if not headless:
        spec = replace(spec, time_limit=float('inf'), stall_limit=float('inf'))
    with tempfile.TemporaryDirectory(prefix='mujoco_ros_py_run_') as name:
        model = _recorded_model(folder / RECORDING, Path(name))
        outcome = run_in(spec, Path(name), None if headless else _show, model)
    return _told(before, outcome)


def _recorded_model(recording: Path, folder: Path) -> Path | None:
    """Writes the recorded model to a folder; prints a note and returns None on failure."""
    try:
        with RecordedRun(recording) as run:
            next(iter(run.events()), None)
            if not run.sections:
                raise RecordingError(f'{recording} has no section')
            path = folder / 'model.mjb'
            path.write_bytes(run.model_content(run.sections[min(run.sections)]))
            return path
    except RecordingError as error:
        print(
            f'note: the model is built again, because the recording cannot be used: {error}',
            file=sys.stderr,
        )
        return None


def kept_run(folder: Path) -> tuple[RunSpec, Outcome]:
    """Reads a kept run and its outcome. Raises SweepError if the folder has no run."""
    path = folder / ABOUT
    try:
        about = json.loads(path.read_text())
        return RunSpec.from_written(about['run']), Outcome.from_written(about['outcome'])
    except OSError as error:
        raise SweepError(
            f'{path}: {error.strerror or error}; each kept run has this file'
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise SweepError(f'{path} is not a kept run: {error}') from None


def _show(server: ServerUnderTest, begins: bool) -> None:
    """Prints the viewer's address, and waits for Enter if the input is a terminal.

    Raises SweepError if the viewer does not start.
    """
    if not begins:
        if sys.stdin.isatty():
            input('Enter ends the run ')
        return
    end = time.monotonic() + _START_S
    while (found := _TOLD.search(server.log)) is None and time.monotonic() < end:
        time.sleep(_LOOK_S)
    if found is None or found['address'] is None:
        told = found['fault'] if found else f'the viewer is not ready after {_START_S:g} s; '
        raise SweepError(f'{told}--headless repeats the run without it')
    print(f'the viewer: {found["address"]}', flush=True)
    if sys.stdin.isatty():
        input('Enter begins the run ')


def _told(before: Outcome, now: Outcome) -> bool:
    for when, outcome in (('before', before), ('now', now)):
        print(f'{when}: {outcome.verdict} at {outcome.time_s:.6g} s, state {outcome.state}')
        if outcome.reason:
            print(f'  {outcome.reason}')
    same = before.verdict == now.verdict and before.state == now.state
    print('the same to the bit' if same else 'not the same')
    return same
