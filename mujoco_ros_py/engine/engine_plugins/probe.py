"""Finds what a library registers with MuJoCo, in a separate process."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import mujoco

from ...errors import PluginError
from ..libmujoco import library
from .probe_program import DONE

_PROGRAM = Path(__file__).with_name('probe_program.py')
_PATIENCE_S = 30.0
_LAST_WORDS = 500
_LIBMUJOCO = re.compile(rb'\0(libmujoco\.so[.\d]*)(?=\0)')


@dataclass(frozen=True, slots=True)
class Contents:
    """The plugins and providers that a library registers when it is loaded."""

    plugins: tuple[str, ...]
    providers: tuple[str, ...]
    """The prefixes of the resource providers."""


def probe(file: Path) -> Contents:
    """Loads a library in a separate process, and returns what it registers. Raises PluginError.

    A library registers its plugins by running code when it is loaded. This code can crash or end
    the process, and a guard around the call could not prevent this.
    """
    if not file.is_file():
        raise PluginError(f'{file}: {"is not a file" if file.exists() else "no such file"}')
    needed = _libmujocos(file) - {Path(library()._name).name}
    if needed:
        built_for, this = ', '.join(sorted(needed)), f'this is MuJoCo {mujoco.__version__}'
        raise PluginError(f'{file}: was built for {built_for}, and {this}')
    found = _ask(file)
    if 'error' in found:
        reason = found['error'].removeprefix(f'{file.absolute()}: ')
        raise PluginError(f'{file}: cannot be loaded: {reason}')
    contents = Contents(tuple(found['plugins']), tuple(found['providers']))
    if not (contents.plugins or contents.providers):
        raise PluginError(f'{file}: registers no plugin with MuJoCo {mujoco.__version__}')
    return contents


def _libmujocos(file: Path) -> set[str]:
    """Returns the names of the libmujoco versions that a file links, found as strings in it."""
    found: set[str] = set()
    with suppress(OSError, ValueError), file.open('rb') as opened:  # unreadable or empty
        content = mmap(opened.fileno(), 0, access=ACCESS_READ)
        found.update(match[1].decode() for match in _LIBMUJOCO.finditer(content))
        content.close()
    return found


def _ask(file: Path) -> Any:
    # Isolated and without site-packages, which the program does not need, so it starts faster.
    command = [sys.executable, '-I', '-S', str(_PROGRAM), library()._name, str(file.absolute())]
    with tempfile.TemporaryDirectory() as folder:  # MuJoCo writes its fatal error there
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors='replace',
                timeout=_PATIENCE_S,
            )
        except subprocess.TimeoutExpired:
            raise PluginError(f'{file}: was not loaded within {_PATIENCE_S:g} s') from None
    # A library may end the process with 0, so success has its own exit code.
    if done.returncode != DONE:
        raise PluginError(f'{file}: ends the process that loads it: {_death(done)}')
    # The library may have printed other lines before.
    return json.loads(done.stdout.splitlines()[-1])


def _death(done: subprocess.CompletedProcess[str]) -> str:
    """Returns the last output of a process, or its signal or exit code."""
    if done.returncode < 0:
        return signal.strsignal(-done.returncode) or f'signal {-done.returncode}'
    said = ' '.join((done.stderr or done.stdout).split())
    return said[-_LAST_WORDS:] or f'exit code {done.returncode}'
