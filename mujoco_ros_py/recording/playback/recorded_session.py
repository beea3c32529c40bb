"""Sessions that go on from a moment of a recording, with its plugins."""

from __future__ import annotations

from typing import Any

from ...session import Session
from ...session.content import PluginList
from .. import RecordedRun, Section
from .plugin_structs import plugins_of
from .recorded_models import recorded_model
from .recorded_moment import moment_at


def continued(
    run: RecordedRun,
    time_s: float = 0.0,
    *,
    section: int | None = None,
    plugins: PluginList | None = None,
    **options: object,
) -> tuple[Session, list[str]]:
    """Returns a session that is in this moment of the recording, paused, and what it lacks.

    Plugins are in the state of the newest saved state that is not later than `time_s`, and the
    data in that of the first recorded state at or after `time_s`.
    `section` is the number of a section; by default it is the last one that has this moment.
    `plugins` and `options` are those of `Session`; by default the plugins are those of the
    recording, of which those that need ROS are left out.

    Raises RecordingError for a moment that is not in the recording, and what `Session` raises.
    """
    moment = moment_at(run, time_s, section)
    session, problems = session_of(run, moment.section, plugins, **options)
    try:
        problems += [*moment.notes, *session.restore(moment.state)]
    except BaseException:
        session.close()
        raise
    return session, problems


def session_of(
    run: RecordedRun, section: Section, plugins: Any = None, **options: Any
) -> tuple[Session, list[str]]:
    """Returns a session with the model and the plugins of a section, and which plugins it lacks.

    Raises RecordingError for a model or a plugin that is not there.
    """
    listed = plugins_of(section) if plugins is None else plugins
    session = Session(recorded_model(run, section), listed, **options)
    return session, list(session.problems)
