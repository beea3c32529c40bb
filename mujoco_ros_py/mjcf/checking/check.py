"""Checks a text: what is read, what it names, what MuJoCo says to it."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import MjcfError
from ..root import RootElement
from ..sources.source import Source
from .compiling import compile_error
from .reading import Checker
from .references import dangling, makes_names

_WHOLE = 'mujoco'
"""The root of a model; a file whose root is mujocoinclude is a part, and cannot be compiled."""


def check(
    content: bytes, folder: str, assets: Mapping[str, bytes], *, compiled: bool
) -> tuple[list[MjcfError], list[MjcfError]]:
    """The errors, and what MuJoCo ignores. Files are in `assets`, or relative to the folder."""
    model, source = RootElement(model_dir=folder, assets=dict(assets)), Source(content)
    checker = Checker(model)
    checker.check(source)
    errors = checker.errors
    if not errors and source.text.name(source.start // source.text.width) == _WHOLE:
        errors = _of_the_whole(model, compiled)
    return errors, checker.ignored


def _of_the_whole(model: RootElement, compiled: bool) -> list[MjcfError]:
    """Names that are wrong only matter if MuJoCo refuses the model too: it makes some itself."""
    error = compile_error(model) if compiled else None
    if compiled and error is None:
        return []
    found = [] if makes_names(model) else list(dangling(model))
    places = {(each.path, each.line) for each in found}
    if error is not None and (error.path, error.line) not in places:
        found.append(error)
    return found
