"""Explains in one sentence why a function does not compile, based on numba's messages."""

from __future__ import annotations

import dis
import linecache
import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from traceback import walk_tb
from types import CodeType, TracebackType
from typing import Any

import mujoco
import numba
from numba import types

from ..foreign.numba.numba_internals import errors
from ..struct_layout import struct_layout
from .message_types import fields_of

_FILE = re.compile(r'^File "(?P<file>[^"]+)", line (?P<line>\d+):$', re.MULTILINE)
_NOISE = re.compile(r'^(Failed in nopython mode pipeline.*|During: .*)$', re.MULTILINE)
_COLOURS = re.compile(r'\x1b\[[0-9;]*m')
"""Matches the colours of numba's messages, which they have if colorama is installed."""
_OURS = re.compile(
    r'(\bmj\w+: argument .*|\blibmujoco functions .*'
    r'|(?:[\w.]+|a generator \(\w+\)) uses random numbers .*)'
)
"""Matches this package's own errors, which numba embeds in its messages."""
_ATTRIBUTE = re.compile(
    r"Unknown attribute '(?P<get>\w+)' of type (?P<owner>.+)"
    r'|Cannot resolve setattr: \((?P<other>.+?)\)\.(?P<set>\w+) = '
)
_CALL = re.compile(r'found for signature:\s+>>> (.+)')
_NAME = re.compile(r"name '(\w+)' is not defined")
_MEMBER = re.compile(r"module '(?P<module>\S+)' has no attribute '(?P<name>\w+)'")
_VERSION = re.compile(r'\(\d+\.\d[^()]*-[0-9a-f]{12}\)')
"""Matches the engine tag in the names of types."""
_BINDINGS = {'mjData': mujoco.MjData, 'mjModel': mujoco.MjModel}
_NEAR = 0.7

Place = tuple[str, int]
"""A file and a line."""


def explain(
    function: Callable[..., Any],
    helpers: Iterable[Callable[..., Any]],
    record: Any,
    error: BaseException,
) -> str:
    """Returns a sentence with the reason and the location of the error.

    `record` is numba's type of the first argument, and `helpers` are the functions that `function`
    calls.
    """
    text = _NOISE.sub('', _COLOURS.sub('', str(error))).strip()
    functions = [function, *helpers]
    place = _told_place(text) or _traced_place(error.__traceback__)
    # The error for an undefined name does not contain the user's line.
    if name := _NAME.search(text):
        place = next(_uses(functions, name[1]), place)
    place = place or (function.__code__.co_filename, function.__code__.co_firstlineno)
    sentence = _VERSION.sub('', _reason(record, text, error)).rstrip('.')
    return f'{function.__qualname__} does not compile: {sentence}{shown_place(*place)}'


def shown_place(file: str, line: int) -> str:
    """Returns a text that ends a sentence: the code of a line, if available, and its location."""
    code = linecache.getline(file, line).strip()
    return f'{f", in `{code}`" if code else ""} ({file}:{line})'


def _reason(record: Any, text: str, error: BaseException) -> str:
    # numba looks up a record's field in a dictionary and does not catch the KeyError.
    if isinstance(error, KeyError) and isinstance(record, types.Record):
        known = ', '.join(record.fields)
        name = str(error.args[0])
        return f'the record has no field {name!r}{_hint(name, record.fields)}; it has {known}'
    if found := _OURS.search(text):
        return found[1]
    if found := _ATTRIBUTE.search(text):
        return _missing(found['owner'] or found['other'], found['get'] or found['set'])
    if (found := _MEMBER.search(text)) and found['module'] == 'mujoco':
        return f'{found[0]}{_hint(found["name"], dir(mujoco))}'
    if found := _CALL.search(text):
        return f'numba cannot compile {found[1]}'
    said = ' '.join(text.split('\n\n')[0].removesuffix(' Raised from None').split())
    told = said and type(error).__module__ == errors.__name__
    # numba's errors are sentences; other errors need their type to be understood.
    return said if told else f'{type(error).__name__}: {said}'


def _missing(owner: str, name: str) -> str:
    """Returns a sentence about an attribute that a numba type does not have."""
    owner = _VERSION.sub('', owner).strip()
    if owner == 'none':
        return (
            f'it uses the field {name!r} of its state, but self.state is None:'
            f' set it in load, self.state = new_state({name}=...)'
        )
    if hasattr(_BINDINGS.get(owner), name):
        return f'{owner}.{name} is only available in Python: read it in load'
    if fields := fields_of(owner):
        there = ', '.join(fields)
        return f'the message has no field {name!r}{_hint(name, fields)}; it has {there}'
    known = struct_layout(owner).fields if owner.startswith('mj') and '[' not in owner else ()
    return f'{owner} has no attribute {name!r}{_hint(name, known)}'


def _hint(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, list(known), n=1, cutoff=_NEAR)
    return f' (did you mean {close[0]!r}?)' if close else ''


def _told_place(text: str) -> Place | None:
    """Returns the innermost location in numba's message, with an absolute path."""
    found = _FILE.search(text)
    return (str(Path(found['file']).resolve()), int(found['line'])) if found else None


def _traced_place(trace: TracebackType | None) -> Place | None:
    """Returns the location that numba was compiling when it raised an error without a location."""
    own = str(Path(numba.__file__).parent), str(Path(__file__).parent)
    # Frames of numba hold the line in one of these variables; the innermost line outside of numba
    # and this package counts.
    for frame, _ in reversed(list(walk_tb(trace))):
        for name in ('self', 'inst', 'constraint', 'expr'):
            place = getattr(frame.f_locals.get(name), 'loc', None)
            file, line = getattr(place, 'filename', None), getattr(place, 'line', None)
            if isinstance(file, str) and isinstance(line, int) and not file.startswith(own):
                return file, line
    return None


def _uses(functions: Iterable[Callable[..., Any]], name: str) -> Iterator[Place]:
    """Yields the locations where functions use an undefined name."""
    for function in functions:
        if name not in function.__globals__:
            for line in _lines(function.__code__, name):
                yield function.__code__.co_filename, line


def _lines(code: CodeType, name: str) -> Iterator[int]:
    starts, line = dict(dis.findlinestarts(code)), code.co_firstlineno
    for instruction in dis.get_instructions(code):
        line = starts.get(instruction.offset) or line
        if instruction.opname == 'LOAD_GLOBAL' and instruction.argval == name:
            yield line
