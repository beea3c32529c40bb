"""Runs a server that continues a recording, with the recorded plugins and parameters."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mujoco

from ..errors import RecordingError
from ..processes import Worker
from ..recording import RecordedRun
from ..recording.playback import RecordedMoment, moment_at, plugin_text, recorded_model
from .main import main
from .parameters.server_parameters import PLUGINS

_MODEL = 'modelfile'
_OTHER_MODEL = 'mujoco_xml'


def go_on(
    run: RecordedRun,
    time_s: float,
    section: int | None,
    ros_arguments: list[str],
    worker: Worker | None = None,
    *,
    with_commands: bool = False,
) -> int:
    """Runs a server that continues a recording from a simulated time; returns the exit code.

    `section` is None for the last section that contains the time. `ros_arguments` override the
    recorded parameters. With `with_commands`, plugins receive the recorded messages of the topics
    that they subscribe to. `worker` is passed to `main`. Raises RecordingError if the recording
    lacks the moment, the model or a plugin.
    """
    moment = moment_at(run, time_s, section)
    for note in (*run.problems, *moment.notes):
        print(f'note: {note}', file=sys.stderr)
    with TemporaryDirectory(prefix='mujoco_ros_py-') as folder:
        model = Path(folder) / f'{run.path.stem}.mjb'
        mujoco.mj_saveModel(recorded_model(run, moment.section), str(model), None)
        parameters = Path(folder) / 'parameters.yaml'
        parameters.write_text(''.join(_parameter_lines(run, moment, model)))
        arguments = ['--ros-args', '--params-file', str(parameters), *ros_arguments]
        added = [_commands(run, moment)] if with_commands else []
        return main(worker, arguments, moment.state, added)


def _commands(run: RecordedRun, moment: RecordedMoment) -> dict[str, Any]:
    """Returns the configuration of the plugin that replays the recorded commands of a section."""
    return {
        'type': 'mujoco_ros_py/RecordedCommands',
        'file': str(run.path.absolute()),
        'section': moment.section.number,
    }


def _parameter_lines(run: RecordedRun, moment: RecordedMoment, model: Path) -> Iterator[str]:
    """Yields the lines of a ROS parameter file; values are JSON, which YAML can read."""
    recorded: Mapping[str, str] = run.about.get('parameters', {})
    try:
        values = {name: json.loads(text) for name, text in recorded.items()}
        written = {
            name: _written(_parameter(value))
            for name, value in values.items()
            if value is not None and value != []  # their ROS type is unknown
        }
    except (ValueError, RecursionError) as error:
        raise RecordingError(f'{run.path}: its parameters are damaged: {error}') from None
    written.pop(_OTHER_MODEL, None)
    written[_MODEL] = _written(str(model))
    written[PLUGINS] = _written(plugin_text(moment.section))
    yield '/**:\n  ros__parameters:\n'
    for name, value in written.items():
        yield f'    {json.dumps(name)}: {value}\n'


def _parameter(value: Any) -> Any:
    """Returns the value if a ROS parameter can hold it. Raises ValueError otherwise."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, list | dict):
            raise ValueError('a ROS parameter must be one value or a list of values')
    return value


def _written(value: Any) -> str:
    """Returns a value as YAML, which spells infinities and NaN differently from JSON."""
    if isinstance(value, list):
        return f'[{", ".join(map(_written, value))}]'
    if isinstance(value, float) and not math.isfinite(value):
        return '.nan' if math.isnan(value) else f'{"-" if value < 0 else ""}.inf'
    return json.dumps(value, ensure_ascii=False)
