"""How messages name what came and what exists."""

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
    """The value as Python writes it, shortened: a message stays a message whatever came."""
    return _SHORT.repr(value)


def listed(names: Collection[str], most: int = 6) -> str:
    """The first of the names, each shortened as by `shown`, and how many more there are."""
    told = ', '.join(shown(name)[1:-1] for name in islice(names, most))
    return f'{told} and {len(names) - most:,} more' if len(names) > most else told


def kind(value: object) -> str:
    """What sort of value it is, where the value itself is not to be shown."""
    if isinstance(value, Mapping):
        return 'a struct'
    if isinstance(value, (list, tuple)):
        return 'a list'
    if value is None:
        return 'nothing'
    return 'a string' if isinstance(value, str) else 'something else'


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """``unknown plugin type 'arm/Contrl' (did you mean 'arm/Control'?); known: arm/Control``."""
    names = sorted(known)
    close = get_close_matches(name, names, n=1)
    hint = f' (did you mean {close[0]!r}?)' if close else ''
    return f'unknown {what} {shown(name)}{hint}; known: {", ".join(names) or "none"}'


def printable(text: str) -> str:
    r"""The text as every topic and log takes it; what is not Unicode is written as ``\udcff``."""
    return text.encode('utf-8', 'backslashreplace').decode()


def shell_command(*words: str) -> str:
    """How a command of this package is called from a shell, with the Python that runs now."""
    name = Path(sys.executable).name
    python = name if which(name) == sys.executable else sys.executable
    return ' '.join([python, '-m', 'mujoco_ros_py', *words])


def summary(error: BaseException) -> str:
    """``ValueError: its text``, of an error in somebody else's code."""
    try:
        text = printable(str(error))
    except BaseException:  # even that is their code
        text = '(no text)'
    return f'{type(error).__name__}: {text}' if text else type(error).__name__
