"""Any content of a recording is read, or reported as damage, and never ends in a traceback."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import MujocoRosError, RecordingError
from mujoco_ros_py.recording import (
    BYTES,
    EVENTS,
    HEAD,
    ROWS,
    SAVED,
    TEXT,
    RecordedRun,
    RecordingFile,
    model_name,
    row_shape,
    write_bytes,
    write_rows,
    write_text,
)
from mujoco_ros_py.recording.files.recorded_parts import read_event
from mujoco_ros_py.recording.playback import moment_at, plugin_text, verify
from mujoco_ros_py.recording.playback.timeline import saved_place, summary_lines
from mujoco_ros_py.simulation import SavedState, state_layout, write_state

MODEL = mujoco.MjModel.from_xml_string(
    '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
)
BINARY = np.zeros(mujoco.mj_sizeModel(MODEL), np.uint8)
SHAPE = row_shape(MODEL, passive=False)
RECORDER = {
    'name': 'recorder', 'type': 'mujoco_ros_py/Recorder', 'class': 'a:B', 'namespace': '',
    'prefix': '', 'config': {'file': 'run.mcap'}, 'callbacks': ['control_callback'],
}  # fmt: skip
PLUGIN = {**RECORDER, 'name': 'arm', 'type': 'mujoco_ros_py/JointController', 'config': {'a': 1}}
SECTION = {
    'event': 'section', 'number': 0, 'reason': 'load', 'time': 0.0, 'model': '',
    'shape': {'own': SHAPE.own, 'inputs': SHAPE.inputs, 'passive': SHAPE.passive}, 'rate_hz': 0.0,
    'plugins': [RECORDER, PLUGIN],
}  # fmt: skip
LOST = {'event': 'lost', 'states': 1, 'messages': 2}
DEEP = json.loads('[' * 500 + ']' * 500)
HOSTILE = [
    None, True, -1, 0.5, 10**30, 10**400, float('inf'), float('-inf'), float('nan'), 'x', '',
    [], [1], [[]], {}, {'a': 1}, {'name': [1]}, DEEP,
]  # fmt: skip
"""Bad values for each field: wrong types, infinite, huge, empty or deeply nested."""


def write(
    path: Path, events: list[str], *, rows: Any = None, part: Any = None, parameters: str = '1'
) -> None:
    """Writes a recording with one model, two states, a saved state and these events."""
    mujoco.mj_saveModel(MODEL, None, BINARY)
    states = np.zeros((2, SHAPE.width))
    states[:, 0], states[:, HEAD] = (0, 1), (0.0, MODEL.opt.timestep)
    state = SavedState(
        time=0.0,
        integration=np.zeros(mujoco.mj_stateSize(MODEL, mujoco.mjtState.mjSTATE_INTEGRATION)),
        model=state_layout(MODEL),
        plugins={'recorder': {'section': 0, 'steps': 0} if part is None else part},
    )
    file = RecordingFile(path, compression='none')
    file.attach(model_name(BINARY.tobytes()), 'application/octet-stream', BINARY.tobytes())
    file.describe('versions', {'mujoco': mujoco.__version__})
    file.describe('parameters', {'a': parameters})
    for event in events:
        file.add(file.channel('/events', TEXT, EVENTS), write_text(event), 0, 0)
    written = write_bytes(write_rows(0, states if rows is None else rows))
    file.add(file.channel('/states', BYTES, ROWS), written, 0, 0)
    saved = write_bytes(write_state(state))
    file.add(file.channel('/saved', BYTES, SAVED), saved, 0, 0)
    file.close()


def section(**changed: Any) -> dict[str, Any]:
    model = {'model': model_name(BINARY.tobytes())}
    return {**SECTION, **model, **changed}


def used(path: Path) -> list[str]:
    """Tries all uses of a recording. Returns the reported problems, and raises other errors."""
    uses: list[Callable[[RecordedRun], object]] = [
        lambda run: list(summary_lines(run)),
        verify,
        lambda run: moment_at(run, 0.0),
        lambda run: plugin_text(moment_at(run, 0.0).section),
    ]
    told = []
    for use in uses:
        with RecordedRun(path) as run:
            try:
                use(run)
            except MujocoRosError as error:
                told.append(str(error))
            told += run.problems
    return told


@pytest.fixture(scope='module', autouse=True)
def binary() -> None:
    mujoco.mj_saveModel(MODEL, None, BINARY)


def test_the_recording_that_is_changed_is_read_as_it_is(tmp_path):
    path = tmp_path / 'run.mcap'
    write(path, [json.dumps(section()), json.dumps(LOST)])
    assert used(path) == []


def changed(struct: Any, place: tuple[Any, ...]) -> Iterator[Any]:
    """Yields copies of a struct with hostile values in one place."""
    for value in HOSTILE:
        copied = json.loads(json.dumps(struct))
        inner = copied
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
        yield copied


PLACES = [
    *((name,) for name in SECTION),
    *(('shape', name) for name in SECTION['shape']),
    ('plugins', 0),
    *(('plugins', 1, name) for name in PLUGIN),
    ('plugins', 1, 'callbacks', 0),
    ('plugins', 1, 'config', 'a'),
]


@pytest.mark.parametrize('place', PLACES, ids=lambda place: '.'.join(map(str, place)))
def test_a_section_with_a_hostile_value_is_damage(tmp_path, place):
    for number, event in enumerate(changed(section(), place)):
        path = tmp_path / f'{number}.mcap'
        write(path, [json.dumps(event), json.dumps(LOST)])
        told = used(path)
        value, usual = reduce(getitem, place, event), reduce(getitem, place, section())
        if place[2:] != ('config', 'a') and not is_alike(value, usual):
            assert told, event


def is_alike(value: Any, usual: Any) -> bool:
    """Returns whether a value is finite and has the type of the field's usual value."""
    if isinstance(usual, int | float):
        return type(value) is int or (type(value) is float and math.isfinite(value))
    return type(value) is type(usual)


@pytest.mark.parametrize('name', [name for name in SECTION if name != 'event'])
def test_a_section_without_a_field_is_damage_that_names_the_field_and_the_place(tmp_path, name):
    path = tmp_path / 'run.mcap'
    event = section()
    del event[name]
    write(path, [json.dumps(event)])
    with RecordedRun(path) as run:
        list(run.rows())
        (problem,) = run.problems
        assert run.sections == {}
    assert problem.startswith('a part of the chunk at byte ')
    assert f'skipped: {name} must be ' in problem
    assert problem.endswith('got None')


@pytest.mark.parametrize('name', ['states', 'messages'])
def test_a_loss_that_is_no_count_is_damage(tmp_path, name):
    for number, event in enumerate(changed(LOST, (name,))):
        path = tmp_path / f'{number}.mcap'
        write(path, [json.dumps(section()), json.dumps(event)])
        countable = event[name] == 0 or (event[name] in (1, 10**30) and event[name] is not True)
        told = used(path)
        assert bool(told) != (countable and event[name] < 2**63), event


@pytest.mark.parametrize(
    'text',
    [
        '[' * 100_000,
        '{"a":' * 100_000,
        '[' * 900 + ']' * 900,
        '9' * 5000,
        '5',
        '',
        '{',
        '"\\ud800"',
    ],
    ids=lambda text: text[:6],
)
def test_an_event_that_is_no_object_is_damage(text):
    with pytest.raises(RecordingError, match='an event '):
        read_event(write_text(text))


@pytest.mark.parametrize('value', [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize('column', [0, HEAD])
def test_states_with_an_infinite_count_or_time_are_damage(tmp_path, value, column):
    rows = np.zeros((2, SHAPE.width))
    rows[1, column] = value
    write(tmp_path / 'run.mcap', [json.dumps(section())], rows=rows)
    assert any('a count or a time is not finite' in each for each in used(tmp_path / 'run.mcap'))


WRITABLE = [each for each in HOSTILE[:-1] if not (isinstance(each, int) and each >= 2**63)]


@pytest.mark.parametrize(
    'part', [5, [], {'section': 0}, *({'section': 0, 'steps': each} for each in WRITABLE)]
)
def test_the_part_of_the_recorder_in_a_saved_state_may_be_anything(tmp_path, part):
    write(tmp_path / 'run.mcap', [json.dumps(section())], part=part)
    used(tmp_path / 'run.mcap')
    with RecordedRun(tmp_path / 'run.mcap') as run:
        (saved,) = run.saved_states()
        place = saved_place(run, saved)
    steps = part.get('steps') if isinstance(part, dict) else None
    assert place == ((0, steps) if isinstance(steps, int) else None)


@pytest.mark.parametrize('name', ['own', 'inputs', 'passive', 'actuators'])
def test_a_section_whose_rows_do_not_fit_its_model_is_refused(tmp_path, name):
    shape = {**SECTION['shape'], name: SECTION['shape'].get(name, 0) + 2}
    rows = np.zeros((2, SHAPE.width + 2))
    write(tmp_path / 'run.mcap', [json.dumps(section(shape=shape))], rows=rows)
    with (
        RecordedRun(tmp_path / 'run.mcap') as run,
        pytest.raises(RecordingError, match='section 0 has rows with RowShape'),
    ):
        verify(run)


@pytest.mark.parametrize(
    'parameters', ['[' * 100_000, '[' * 950 + '1' + ']' * 950, '{', '9' * 5000]
)
def test_parameters_that_are_damaged_are_told(tmp_path, parameters):
    continued_run = pytest.importorskip('mujoco_ros_py.ros.continued_run')
    write(tmp_path / 'run.mcap', [json.dumps(section())], parameters=parameters)
    with (
        RecordedRun(tmp_path / 'run.mcap') as run,
        pytest.raises(RecordingError, match='its parameters are damaged'),
    ):
        continued_run.go_on(run, 0.0, None, [])
