"""Formats values and names for messages."""

from __future__ import annotations

import reprlib
import sys
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from shutil import which

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxarray = _SHORT.maxlist = _SHORT.maxdict = 6


def shown(value: object) -> str:
    """Returns the repr of the value, shortened to fit a message."""
    return _SHORT.repr(value)


def listed(names: Collection[str], most: int = 6) -> str:
    """Lists the first `most` names, shortened as by `shown`, and the number of other names."""
    told = ', '.join(shown(name)[1:-1] for name in islice(names, most))
    return f'{told} and {len(names) - most:,} more' if len(names) > most else told


def kind(value: object) -> str:
    """Describes the kind of a value, for messages that must not show the value itself."""
    if isinstance(value, Mapping):
        return 'a struct'
    if isinstance(value, (list, tuple)):
        return 'a list'
    if value is None:
        return 'nothing'
    return 'a string' if isinstance(value, str) else 'something else'


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Returns ``unknown plugin type 'arm/Contrl' (did you mean 'arm/Control'?); known: ...``."""
    names = sorted(known)
    close = get_close_matches(name, names, n=1)
    hint = f' (did you mean {close[0]!r}?)' if close else ''
    return f'unknown {what} {shown(name)}{hint}; known: {", ".join(names) or "none"}'


def printable(text: str) -> str:
    r"""Returns the text in a form that topics and logs accept: invalid Unicode as ``\udcff``."""
    return text.encode('utf-8', 'backslashreplace').decode()


def shell_command(*words: str) -> str:
    """Returns the shell command that runs a command of this package with the current Python."""
    name = Path(sys.executable).name
    python = name if which(name) == sys.executable else sys.executable
    return ' '.join([python, '-m', 'mujoco_ros_py', *words])


def summary(error: BaseException) -> str:
    """Formats an error in a user's code as ``ValueError: its text``."""
    try:
        text = printable(str(error))
    except BaseException:  # its __str__ can be the user's code
        text = '(no text)'
    return f'{type(error).__name__}: {text}' if text else type(error).__name__
