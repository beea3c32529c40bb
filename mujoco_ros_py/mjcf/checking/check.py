"""Checks a text: what is read, what it names, what MuJoCo says to it."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import MjcfError
from ..files.circles import refuse_circle
from ..root import RootElement
from ..sources.source import Source
from .compiling import compile_errors, prepare
from .reading import Checker
from .references import dangling, makes_names

_WHOLE = 'mujoco'
"""The root of a model; a file whose root is mujocoinclude is a part, and cannot be compiled."""


def check(
    content: bytes, folder: str, assets: Mapping[str, bytes], *, compiled: bool
) -> tuple[list[MjcfError], list[MjcfError]]:
    """The errors, and the warnings. Files are in `assets`, or relative to the folder."""
    if compiled:
        prepare()
    model, source = RootElement(model_dir=folder, assets=dict(assets)), Source(content)
    checker = Checker(model)
    checker.check(source)
    errors, warnings = checker.errors, checker.ignored
    if errors or source.text.name(source.start // source.text.width) != _WHOLE:
        return errors, warnings
    try:
        refuse_circle(content, '', model.read_file)
    except MjcfError as error:
        error.reason = str(error)
        return [error], warnings
    if compiled:
        errors, more = compile_errors(model)
        warnings = [*warnings, *more]
    if errors or not compiled:  # names that MuJoCo takes are no faults: it makes some itself
        found = [] if makes_names(model) else list(dangling(model))
        places = {(each.path, each.line) for each in found}
        errors = found + [each for each in errors if (each.path, each.line) not in places]
    return errors, warnings
