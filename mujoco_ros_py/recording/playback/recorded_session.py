"""Creates sessions that continue from a time in a recording, with its plugins."""

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
    """Creates a paused session at a time in the recording; returns it with a list of problems.

    The data has the first recorded state at or after `time_s`. The plugins have the newest saved
    state at or before this recorded state. `section` is the number of a section; by default, the
    last section that contains `time_s`. `plugins` and `options` are passed to `Session`; by
    default, the recorded plugins are loaded, without the plugins that need ROS.

    Raises RecordingError if the recording does not contain the time, and the errors of
    `Session`.
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
    """Creates a session with the model and plugins of a section; returns it with its problems.

    Raises RecordingError for a missing model or plugin.
    """
    listed = plugins_of(section) if plugins is None else plugins
    session = Session(recorded_model(run, section), listed, **options)
    return session, list(session.problems)
