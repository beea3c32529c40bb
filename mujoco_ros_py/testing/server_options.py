"""The start options of a test server."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from ..config.wording import unknown
from ..errors import ConfigError


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class ServerOptions:
    """The options of a test server. Raises ConfigError for an invalid value."""

    model: Any = None
    """A path, a URI, MJCF text (starting with ``<``), an `mjcf.RootElement`, an MjSpec or an
    MjModel; None for an empty world."""
    plugins: Sequence[Mapping[str, Any] | type[Any]] | str = ()
    """The plugins, as in the parameter `MujocoPlugins`. Without `process`, a class can stand for a
    plugin's type."""
    process: bool = False
    """True for a separate server process with ROS, False for a session in this process."""
    strict: bool = True
    """Whether a refused or failed plugin is an error, at startup and at each step."""
    positions: Mapping[str, Any] | None = None
    """The initial joint positions, by joint name."""
    velocities: Mapping[str, Any] | None = None
    """The initial joint velocities, by joint name."""
    recording_s: float = 10.0
    """The minimum length of a recording in seconds of simulated time; 0 turns recording off."""
    start_timeout_s: float = 60.0
    """The time limit for a process to load its model, in seconds of wall time."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the session or of the server process."""

    def __post_init__(self) -> None:
        if not self.recording_s >= 0:
            raise ConfigError(f'recording_s must be at least 0, got {self.recording_s!r}')
        if not self.start_timeout_s > 0:
            raise ConfigError(f'start_timeout_s must be above 0, got {self.start_timeout_s!r}')

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> ServerOptions:
        """Creates options; names in `given` that are not options become server parameters."""
        own = {each.name for each in fields(cls)} - {'options'}
        return cls(
            **{name: value for name, value in given.items() if name in own},
            options={name: value for name, value in given.items() if name not in own},
        )

    def as_written(self) -> dict[str, Any]:
        """Returns the options except the model, for JSON.

        A class is replaced by its module, its name and its file.
        """
        plugins = self.plugins
        if not isinstance(plugins, str):
            plugins = [_written(entry) for entry in plugins]
        names = ('process', 'strict', 'positions', 'velocities', 'options')
        return {'plugins': plugins, **{name: getattr(self, name) for name in names}}

    @classmethod
    def from_written(cls, written: Mapping[str, Any], model: Path) -> ServerOptions:
        """Creates options from the result of `as_written` and the file of the model."""
        made = cls(model=str(model), **written)
        if isinstance(made.plugins, str):
            return made
        return replace(made, plugins=[_read(entry) for entry in made.plugins])


def is_text(model: object) -> bool:
    """Returns whether a model is MJCF text."""
    return isinstance(model, str) and model.lstrip().startswith('<')


def _written(entry: Any) -> Any:
    if isinstance(entry, type):
        entry = {'type': entry}
    given = entry.get('type') if isinstance(entry, Mapping) else None
    if not isinstance(given, type):
        return entry
    file = getattr(sys.modules.get(given.__module__), '__file__', None)
    place = {'module': given.__module__, 'class': given.__qualname__, 'file': file}
    return {**entry, 'type': place}


def _read(entry: Any) -> Any:
    place = entry.get('type') if isinstance(entry, Mapping) else None
    if not isinstance(place, Mapping):
        return entry
    return {**entry, 'type': _class(place['module'], place['class'], place['file'])}


def _class(module: str, name: str, file: str | None) -> type[Any]:
    """Imports a class from its module by name or, if this fails, from the module's file."""
    found: Any
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        spec = importlib.util.spec_from_file_location(module, file) if file else None
        if spec is None or spec.loader is None:
            text = f'cannot import {module}, which has the plugin class {name}'
            raise ConfigError(text) from error
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
    for part in name.split('.'):
        if not hasattr(found, part):
            raise ConfigError(unknown(f'class of {module}', name, vars(found)))
        found = getattr(found, part)
    made: type[Any] = found
    return made
