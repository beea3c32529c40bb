"""Sessions that go on from a moment of a recording, with its plugins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from ..errors import RecordingError
from ..recording import RECORDER, RecordedRun, Section
from ..session import Session
from ..simulation import SavedState
from .recorded_models import recorded_model
from .row_steps import RecordedRow, recorded_rows


def continued(
    run: RecordedRun,
    time_s: float = 0.0,
    *,
    section: int | None = None,
    plugins: Sequence[Any] | str | None = None,
    **options: Any,
) -> tuple[Session, list[str]]:
    """Returns a session that is in this moment of the recording, paused, and what it lacks.

    Plugins are in the state of the newest saved state that is not later than `time_s`, and the
    data in that of the first recorded state at or after `time_s`.
    `section` is the number of a section; by default it is the last one that has this moment.
    `plugins` and `options` are those of `Session`; by default the plugins are those of the
    recording, of which those that need ROS are left out.

    Raises RecordingError for a moment that is not in the recording, and what `Session` raises.
    """
    row = _row_at(run, time_s, section)
    saved = _newest_saved(run, row)
    session, problems = opened(run, row.section, plugins, **options)
    try:
        if saved is None:
            problems.append('no saved state is that old: plugins begin anew')
            saved = session.save()
        whole = session.call(lambda model, data: _whole_state(model, row))
        moment = replace(saved, time=row.time, integration=whole)
        problems += own_problems(session.restore(moment), row.section)
    except BaseException:
        session.close()
        raise
    return session, problems


def opened(
    run: RecordedRun, section: Section, plugins: Any = None, **options: Any
) -> tuple[Session, list[str]]:
    """Returns a session with the model and the plugins of a section, and which plugins it lacks.

    Raises RecordingError for a model or a plugin that is not there.
    """
    listed = recorded_list(section) if plugins is None else plugins
    session = Session(recorded_model(run, section), listed, **options)
    return session, list(session.problems)


def recorded_list(section: Section) -> list[dict[str, Any]]:
    """Returns the plugins of a section, but the recorder, as `Session` takes them.

    Raises RecordingError for a plugin whose class has no type by which it is found.
    """
    listed: list[dict[str, Any]] = []
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in section.plugins:
        if each['type'] == RECORDER:
            continue
        if not each['type']:
            raise RecordingError(
                f'plugin {each["name"]!r} is of the class {each["class"]}, which no plugin type'
                ' has: the plugins have to be given'
            )
        namespace, prefix = str(each['namespace']), str(each['prefix'])
        name = str(each['name']).removeprefix(f'{namespace}/')
        struct = {**each['config'], 'type': each['type'], 'name': name}
        if not (namespace or prefix):
            listed.append(struct)
            continue
        if (namespace, prefix) not in groups:
            groups[namespace, prefix] = []
            group = {'namespace': namespace, 'prefix': prefix}
            listed.append({**group, 'plugins': groups[namespace, prefix]})
        groups[namespace, prefix].append(struct)
    return listed


def saved_place(section: Section, saved: SavedState) -> tuple[int, int] | None:
    """Returns the section and the count of steps of a saved state; None if it does not tell."""
    for each in section.plugins:
        part = saved.plugins.get(each['name']) if each['type'] == RECORDER else None
        if isinstance(part, Mapping) and {'steps', 'section'} <= part.keys():
            return int(part['section']), int(part['steps'])
    return None


def own_problems(problems: Sequence[str], section: Section) -> list[str]:
    """Returns what `Session.restore` says, but not of the recorder, which is left out."""
    recorders = [repr(each['name']) for each in section.plugins if each['type'] == RECORDER]
    return [each for each in problems if not any(name in each for name in recorders)]


def _whole_state(model: mujoco.MjModel, row: RecordedRow) -> Any:
    """Returns MuJoCo's integration state of a row."""
    data = mujoco.MjData(model)
    row.section.put(model, data, row.numbers)
    state = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_INTEGRATION))
    mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
    return state


def _row_at(run: RecordedRun, time_s: float, section: int | None) -> RecordedRow:
    """Returns the first state at or after a time, of a section or of the last that has it."""
    found: RecordedRow | None = None
    spans: dict[int, tuple[float, float]] = {}
    for row in recorded_rows(run):
        if not isinstance(row, RecordedRow):
            continue
        number = row.section.number
        first, last = spans.get(number, (row.time, row.time))
        spans[number] = min(first, row.time), max(last, row.time)
        if section not in (None, number) or row.time < time_s - 1e-9:
            continue
        if found is None or found.section.number != number or found.time > row.time:
            found = row
    if found is None:
        there = ', '.join(f'{n}: {a:g} to {b:g} s' for n, (a, b) in spans.items()) or 'no states'
        where = '' if section is None else f' in section {section}'
        raise RecordingError(f'{run.path} has no state at {time_s:g} s{where}; it has {there}')
    return found


def _newest_saved(run: RecordedRun, row: RecordedRow) -> SavedState | None:
    """Returns the newest saved state of the section of a row that is not later than the row."""
    best: tuple[int, SavedState] | None = None
    for saved in run.saved_states():
        place = saved_place(row.section, saved)
        if place is None or place[0] != row.section.number or place[1] > row.steps:
            continue
        if best is None or place[1] > best[0]:
            best = place[1], saved
    return None if best is None else best[1]
