"""Repeats the recording of a test, and compares each state with the recorded one, bit by bit."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import MujocoRosError
from .derived_values import Numbers, Sample
from .recording import Recording, read_recording
from .server_under_test import ServerUnderTest
from .serving import started
from .state import State
from .state_places import StatePlaces

_Tell = Callable[[int, State], object]


@dataclass(frozen=True, kw_only=True, slots=True)
class Replay:
    """The result of a repetition."""

    states: int
    """The number of compared states."""
    steps: int
    """The number of simulation steps."""
    difference: str = ''
    """The first difference: row, time, and the part of the state; empty if all are equal."""
    failure: str = ''
    """The result, in this repetition, of the command that failed in the test: its error, or a
    message that it succeeds now. Empty if no command failed in the test."""


def replay(folder: Path, tell: _Tell | None = None) -> Replay:
    """Repeats a recording, and calls `tell(row, state)` with each state.

    Raises ConfigError for a folder without a recording, and the errors of a server's start.
    """
    recording = read_recording(folder)
    options = replace(recording.options, recording_s=0.0)
    with started(options) as server:
        for plugin, values in recording.configured.items():
            server.configure(plugin, **values)
        if recording.start is not None:
            server.restore(recording.start)
        return _repeat(server, recording, tell or (lambda row, state: None))


def _repeat(server: ServerUnderTest, recording: Recording, tell: _Tell) -> Replay:
    places, steps, difference = StatePlaces(server.model), 0, ''
    for row, event in enumerate(recording.events):
        state = _carried_out(server, event.command, event.arguments, event.steps, event.values)
        steps += event.steps
        tell(row, state)
        if not difference and state.sample.values.tobytes() != event.values.tobytes():
            difference = _difference(row, places, state.sample, event.values)
    return Replay(
        states=len(recording.events),
        steps=steps,
        difference=difference,
        failure=_failure(server, recording.failure),
    )


def _carried_out(
    server: ServerUnderTest, command: str, arguments: Mapping[str, Any], steps: int, values: Any
) -> State:
    """Carries out a recorded command on the server, and returns the resulting state."""
    if command in ('', 'step'):
        return server.step(steps, **arguments)
    if command == 'command':
        return server.command(arguments['plugin'], arguments['topic'], **arguments['fields'])
    if command == 'set_state':
        return server.set_state(values)
    if command == 'configure':
        return server.configure(arguments['plugin'], **arguments['values'])
    made: State = getattr(server, {'set': 'set', 'reset': 'reset'}[command])(**arguments)
    return made


def _failure(server: ServerUnderTest, failed: Mapping[str, Any] | None) -> str:
    if failed is None:
        return ''
    try:
        _carried_out(server, failed['command'], failed['arguments'], failed['steps'], None)
    except MujocoRosError as error:
        return str(error)
    return 'the command that failed in the test now succeeds'


def _difference(row: int, places: StatePlaces, here: Sample, there: Numbers) -> str:
    """Describes the first number that differs."""
    (indices,) = np.nonzero(here.values.view(np.int64) != there.view(np.int64))
    first = int(indices[0])
    part, place = next(
        (name, part) for name, part in places.parts.items() if part.start <= first < part.stop
    )
    return (
        f'state {row} at {there[0]:.6g} s: {part}[{first - place.start}] was'
        f' {float(there[first])!r} and is {float(here.values[first])!r}'
        f' ({len(indices)} numbers differ)'
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns 0 if all states are equal, 1 if not, 2 if the replay fails."""
    parser = argparse.ArgumentParser('python -m mujoco_ros_py.testing.replay', description=__doc__)
    parser.add_argument('folder', type=Path, help='the folder of the recording')
    parser.add_argument('--print', action='store_true', help='print each state')
    given = parser.parse_args(argv)

    def tell(row: int, state: State) -> None:
        if given.print:
            print(f'{row}: {state}')

    try:
        result = replay(given.folder, tell)
    except MujocoRosError as error:
        print(f'cannot be repeated: {error}', file=sys.stderr)
        return 2
    if result.failure:
        print(f'the last command: {result.failure}')
    counts = f'{result.states} states, {result.steps} steps'
    if result.difference:
        print(f'{counts}; the first difference: {result.difference}')
        return 1
    print(f'{counts}; all equal to the bit')
    return 0


if __name__ == '__main__':
    sys.exit(main())
