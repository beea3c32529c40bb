"""Checks an MJCF text: its syntax, its references, and whether MuJoCo compiles it."""

from __future__ import annotations

from collections.abc import Mapping
from os.path import abspath

from ....errors import MjcfError
from ....named_files import special_file_named_in
from ...compose.root import RootElement
from ...files.circles import refuse_circle
from ...sources.parsing import IllFormedError
from ...sources.source import Source
from ...tree.element import Element
from .compile_errors import compile_errors, prepare
from .containers import containers
from .dangling import dangling, makes_names
from .fault_reader import FaultReader

_WHOLE = 'mujoco'
"""The root tag of a whole model. A file with the root mujocoinclude is a part, which cannot be
compiled."""


def check(
    content: bytes, folder: str, assets: Mapping[str, bytes], *, compiled: bool
) -> tuple[list[MjcfError], list[MjcfError]]:
    """Returns the errors and the warnings on a text. Files are in `assets` or in the folder."""
    if (told := special_file_named_in(content, folder)) is not None:
        error = MjcfError(told)
        error.reason = told
        return [error], []
    if compiled:
        prepare()
    model, source, reader = _checked(content, folder, assets, tolerant=False)
    unread = [each for each in reader.errors if isinstance(each, IllFormedError)]
    if unread:
        model, source, reader = _checked(content, folder, assets, tolerant=True)
        if not any(isinstance(each, IllFormedError) for each in reader.errors):
            reader.ignored[:0] = unread
    begun = model._source is not None
    if begun and source.text.name(source.start // source.text.width) != _WHOLE:
        return _best(content, folder, assets, tolerant=bool(unread))
    errors, warnings = reader.errors, reader.ignored
    if errors:
        return errors, warnings
    try:
        refuse_circle(content, '', model.read_file)
    except MjcfError as error:
        error.reason = str(error)
        return [error], warnings
    if compiled:
        errors, more = compile_errors(model)
        warnings = [*warnings, *more]
    if errors or not compiled:  # MuJoCo makes some names itself
        found = [] if makes_names(model) else list(dangling(model))
        places = {(each.path, each.line) for each in found}
        errors = found + [each for each in errors if (each.path, each.line) not in places]
    return errors, warnings


def _best(
    content: bytes, folder: str, assets: Mapping[str, bytes], *, tolerant: bool
) -> tuple[list[MjcfError], list[MjcfError]]:
    """Returns the faults of a partial model inside the element in which they are fewest."""
    kinds = containers(Source(content)) or [RootElement]
    tried = (_checked(content, folder, assets, tolerant=tolerant, kind=kind) for kind in kinds)
    readers = [reader for _, _, reader in tried]
    best = min(readers, key=lambda reader: len(reader.errors))
    return best.errors, best.ignored


def _checked(
    content: bytes,
    folder: str,
    assets: Mapping[str, bytes],
    *,
    tolerant: bool,
    kind: type[Element] = RootElement,
) -> tuple[RootElement, Source, FaultReader]:
    # a server loads a model by its absolute path, by which MuJoCo compares what is included
    model, source = RootElement(model_dir=abspath(folder), assets=dict(assets)), Source(content)
    reader = FaultReader(model, tolerant=tolerant)
    reader.check_within(kind, source)
    return model, source, reader
