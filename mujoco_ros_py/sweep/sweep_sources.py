"""The files and versions that the outcomes of a sweep depend on besides its scenario file."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from .. import __version__
from ..errors import MujocoRosError
from ..plugins.host.plugin_types import find_type
from ..session.fingerprint import fingerprint
from .run_spec import RunSpec

Sources = Mapping[str, str]
"""Versions and content digests, by the name of the library or file."""


def sources_of(spec: RunSpec, model: mujoco.MjModel) -> Sources:
    """Returns the sources of a sweep, from one of its runs and the model of this run.

    The sources are the compiled model with its assets, the files named in the commands of
    controllers, the modules of the plugins and of the judgement, and versions of libraries.
    """
    found = {
        'mujoco_ros_py': __version__,
        'mujoco': mujoco.__version__,
        'numpy': np.__version__,
        'Python': platform.python_version(),
        'the model': fingerprint(model).hex(),
    }
    folder = Path(spec.folder)
    for path in dict.fromkeys([*_of_controllers(spec), *_of_plugins(spec.plugins, folder)]):
        found[str(path)] = _digest(path)
    for path in _of_judgement(spec.success, folder):
        found[str(path)] = _digest(path)
    return found


def changes(before: Sources, now: Sources) -> list[str]:
    """Returns the names that differ: ``run.py``, ``mujoco (4.0.0, now 4.0.1)``."""
    return [
        f'{name} ({before[name]}, now {now[name]})' if _is_version(name, before, now) else name
        for name in dict.fromkeys([*before, *now])
        if before.get(name) != now.get(name)
    ]


def _is_version(name: str, before: Sources, now: Sources) -> bool:
    return all('.' in each.get(name, '') for each in (before, now))


def _of_controllers(spec: RunSpec) -> Iterator[Path]:
    """Yields the files named in the commands, relative to the working directory."""
    for words in spec.controllers:
        for word in words:
            path = Path(spec.folder) / word.partition('=')[2 * word.startswith('-')]
            if path.is_file():
                yield path


def _of_plugins(structs: list[Any], folder: Path) -> Iterator[Path]:
    """Yields the module files of plugins, including the plugins in groups."""
    for struct in structs:
        if 'plugins' in struct:
            yield from _of_plugins(struct['plugins'], folder)
            continue
        try:
            module = find_type(str(struct.get('type'))).module
        except MujocoRosError:
            continue  # the first run reports this error
        yield from _of_module(module, folder)


def _of_judgement(success: object, folder: Path) -> Iterator[Path]:
    """Yields the file with the function or test that judges the runs."""
    if isinstance(success, Mapping) and success['test']:
        yield folder / success['test'].partition('::')[0]
    elif isinstance(success, Mapping):
        yield from _of_module(success['function'].partition(':')[0], folder)


def _of_module(name: str, folder: Path) -> Iterator[Path]:
    """Yields the file of a module; searches the folder first, then the import path."""
    base = folder.joinpath(*name.split('.'))
    for path in (base.with_suffix('.py'), base / '__init__.py'):
        if path.is_file():
            yield path
            return
    try:
        found = find_spec(name)
    except (ImportError, ValueError):
        return
    if found is not None and found.has_location and found.origin:
        yield Path(found.origin)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
