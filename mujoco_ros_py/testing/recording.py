"""Writes and reads recordings: folders with all files that are needed to repeat a server's run."""

from __future__ import annotations

import json
import pickle
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from .. import __version__
from ..errors import ConfigError
from ..simulation import SavedState
from .recorder import Event, Recorder
from .server_options import ServerOptions

_FORMAT = 1
_RUN, _STATES, _MODEL, _START, _LOG = (
    'run.json',
    'states.npz',
    'model.mjb',
    'start.pickle',
    'server.log',
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Recording:
    """A recorded run."""

    model: Path
    """The compiled model."""
    options: ServerOptions
    """The server's start options, with the recorded model."""
    start: SavedState | None
    """The initial state; None for the state after the load."""
    configured: Mapping[str, Mapping[str, Any]]
    """The live values set before the run began, by plugin."""
    events: Sequence[Event]
    failure: Mapping[str, Any] | None
    """The command that failed at the end, its steps and its error; None if no command failed."""
    about: Mapping[str, Any]
    """The test, its failure, and the versions of the libraries."""


def write_recording(
    folder: Path,
    recorder: Recorder,
    model: mujoco.MjModel,
    options: ServerOptions,
    log: str,
    **about: object,
) -> Path:
    """Writes a recording to a folder, replacing an earlier recording; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    sections = list(recorder.sections)
    events = [Event(*each) for section in sections for each in section.events]
    mujoco.mj_saveModel(model, str(folder / _MODEL))
    states = np.array([event.values for event in events])
    np.savez_compressed(
        folder / _STATES, states=states, steps=np.array([event.steps for event in events], int)
    )
    (folder / _START).unlink(missing_ok=True)
    if sections and sections[0].start is not None:
        (folder / _START).write_bytes(pickle.dumps(sections[0].start))
    run = {
        'format': _FORMAT,
        'about': {**about, **_versions()},
        'options': options.as_written(),
        'configured': sections[0].configured if sections else {},
        'failure': recorder.failure,
        'commands': [
            {'row': row, 'command': event.command, 'arguments': event.arguments}
            for row, event in enumerate(events)
            if event.command
        ],
    }
    (folder / _RUN).write_text(json.dumps(run, indent=1, default=_as_list) + '\n')
    (folder / _LOG).write_text(log)
    return folder


def read_recording(folder: Path) -> Recording:
    """Reads a recording. Raises ConfigError if the folder has none, or if its format is unknown.

    The initial state is a pickle: read only recordings that you trust.
    """
    if not (folder / _RUN).is_file():
        raise ConfigError(f'{folder} is not a recording: it has no {_RUN}')
    run = json.loads((folder / _RUN).read_text())
    if run['format'] != _FORMAT:
        raise ConfigError(f'{folder} has the format {run["format"]}; known: {_FORMAT}')
    with np.load(folder / _STATES) as arrays:
        states, steps = arrays['states'], arrays['steps'].tolist()
    commands = {each['row']: each for each in run['commands']}
    nothing: dict[str, Any] = {'command': '', 'arguments': {}}
    events = []
    for row, count in enumerate(steps):
        each = commands.get(row, nothing)
        events.append(Event(each['command'], each['arguments'], count, states[row]))
    start = folder / _START
    return Recording(
        model=folder / _MODEL,
        options=ServerOptions.from_written(run['options'], folder / _MODEL),
        start=pickle.loads(start.read_bytes()) if start.exists() else None,
        configured=run['configured'],
        events=events,
        failure=run['failure'],
        about=run['about'],
    )


def _versions() -> dict[str, str]:
    return {
        'mujoco_ros_py': __version__,
        'mujoco': mujoco.__version__,
        'numpy': np.__version__,
        'python': platform.python_version(),
        'machine': platform.machine(),
    }


def _as_list(value: object) -> Any:
    """Converts arrays and NumPy numbers to lists and numbers, and other objects to text."""
    return value.tolist() if hasattr(value, 'tolist') else str(value)
