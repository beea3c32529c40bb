"""Loads the models of a recording, with the engine plugins that they need."""

from __future__ import annotations

import mujoco

from ...errors import ModelError, RecordingError
from ...session import compile_with_plugins
from .. import RecordedRun, Section


def recorded_model(run: RecordedRun, section: Section) -> mujoco.MjModel:
    """Returns the model of a section; registers built-in engine plugins if the model uses them.

    Raises RecordingError if the model is missing or cannot be loaded.
    """

    def load(source: object) -> mujoco.MjModel:
        try:
            return run.model(section)
        except RecordingError as error:
            raise ModelError(str(error)) from None

    try:
        return compile_with_plugins(None, load)  # type: ignore[arg-type]  # `load` ignores it
    except ModelError as error:
        raise RecordingError(str(error)) from None
