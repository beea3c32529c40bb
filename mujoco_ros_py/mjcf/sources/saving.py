"""Saves models in their original text, with the edits made since."""

from __future__ import annotations

import re
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from posixpath import isabs
from typing import TYPE_CHECKING

from ...mujoco_resources import below, is_absolute
from ..write.form import Form
from ..write.writer import write
from .additions import Edit
from .changes import changes
from .encoded_text import decoded, encoding_of
from .source import Source
from .tags import end_tag, stop_of, tag_at

if TYPE_CHECKING:
    from ..compose.root import RootElement

_PROLOG = re.compile(rb'(?:[^<]*<\?.*?\?>)+', re.DOTALL)
"""Matches the declaration and processing instructions, which MuJoCo allows only at the
beginning."""
_BLANK = '\ufeff \t\r\n'


def to_source(model: RootElement) -> str:
    """Returns the text that the model was read from, with all edits since."""
    source = _own_source(model)
    if source is None:
        return write(model, Form())
    return decoded(spliced(source, changes(model, spliced=True)), source.text.encoding)


def to_bytes(model: RootElement) -> bytes:
    """Returns the text of the model, like `to_source`, in the encoding that the text declares."""
    source = _own_source(model)
    if source is None:
        return write(model, Form()).encode()
    return _encoded(source, spliced(source, changes(model, spliced=True)))


def save(model: RootElement, path: str | PathLike[str], *, keep_includes: bool = False) -> None:
    """Writes the model to a file: its original text with the edits since.

    Comments, layout and encoding are preserved. Included files replace their <include> elements.
    With `keep_includes`, the <include> elements stay, and included files are written to the folder
    of `path`: edited files, and copies of files missing there. Other files, such as meshes, are
    not written. Raises ValueError if models are attached, and FileExistsError if an unedited file
    would replace another file.
    """
    path = Path(path)
    source = _own_source(model)
    if source is None or not keep_includes:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(to_bytes(model))
        return
    files = _kept(source, changes(model, spliced=False))
    contents = {path: _encoded(source, files.pop(source))}
    for included, content in files.items():
        if _is_uri(included.path):
            if content != included.content:
                raise ValueError(
                    f'{included.path!r} is included and edited, but a URI cannot be written'
                )
            continue
        target = path.parent / included.path
        if not _must_write(model, included, content, target):
            continue
        if contents.setdefault(target, content) != content:
            raise ValueError(f'{target} would be both {path.name} and an included file')
    for target, content in contents.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def edited_files(model: RootElement) -> dict[str, tuple[bytes, bytes]]:
    """Returns the content of each file of a model, as read and with the edits since.

    The keys are the paths of included files as in `Source.path`; the model's own file has an empty
    key. Files that are no longer included are missing. Raises ValueError for a model with attached
    models or without a source.
    """
    source = _own_source(model)
    if source is None:
        raise ValueError(f'model {model.model!r} was not read from text')
    files = _kept(source, changes(model, spliced=False))
    return {each.path: (each.content, _encoded(each, new)) for each, new in files.items()}


def _is_uri(path: str) -> bool:
    return is_absolute(path) and not isabs(path)


def _own_source(model: RootElement) -> Source | None:
    if model.frames:
        raise ValueError(
            f'model {model.model!r} has attached models, and their sources cannot be merged'
            ' into one file; use to_xml_string or export_with_assets'
        )
    return model._source


def _encoded(source: Source, content: bytes) -> bytes:
    """Encodes content as its XML declaration says if the source was a string, else keeps it."""
    if source.encoding is None:
        return content
    return content.decode(source.encoding).encode(encoding_of(content), 'xmlcharrefreplace')


def _must_write(model: RootElement, source: Source, content: bytes, target: Path) -> bool:
    if content != source.content:
        return True
    read = Path(below(model.model_dir, source.path))
    there = target.read_bytes() if target.exists() else None
    if there == content or (there is not None and read.exists() and read.samefile(target)):
        return False
    if there is not None:
        raise FileExistsError(f'{target} exists and differs from the included file {source.path}')
    return True


def _patched(source: Source, edits: list[Edit], included: Callable[[Source], str | None]) -> bytes:
    """Applies edits, except those inside a part replaced by another edit.

    `included` returns the text that replaces an include, or None to keep the include.
    """
    content, text = source.content, source.text
    pieces, done = [], 0
    for start, stop, new in sorted(edits, key=_order):
        if stop < done or (start < done and stop == done):
            continue
        if isinstance(new, Source):
            there = included(new)
            if there is None:
                continue
            new = there
        pieces.append(content[done * text.width : max(start, done) * text.width])
        pieces.append(new.encode(text.encoding, 'xmlcharrefreplace'))
        done = stop
    pieces.append(content[done * text.width :])
    return b''.join(pieces)


def _order(edit: Edit) -> tuple[int, bool, int]:
    """Returns the sort key of an edit: by start, then insertions first, then longest first."""
    start, stop, _ = edit
    return start, stop > start, -stop


def spliced(source: Source, all_edits: dict[Source, list[Edit]]) -> bytes:
    """Returns the edited source, with the includes replaced by the included sources."""

    def inside(included: Source) -> str:
        edits = {**all_edits, included: [*all_edits[included], *_wrapping(included)]}
        text = decoded(spliced(included, edits), included.text.encoding).strip(_BLANK)
        return text.replace('\r\n', '\n').replace('\n', source.text.newline)

    return _patched(source, all_edits[source], inside)


def _wrapping(source: Source) -> list[Edit]:
    """Returns the edits that remove the root's tags and the prolog, for splicing into a file."""
    text = source.text
    start, stop = source.start // text.width, source.stop // text.width
    tags = [(start, tag_at(text, start).stop), (stop, stop_of(text, start, stop))]
    if source.parsed is not source.content:  # text outside the root is allowed
        tags = [(0, tags[0][1]), (stop, len(text.ascii))]
    found: list[Edit] = [(*text.span(*tag), '') for tag in tags]
    prolog = _PROLOG.match(text.ascii)
    return [*found, (0, prolog.end(), '')] if prolog else found


def _kept(source: Source, all_edits: dict[Source, list[Edit]]) -> dict[Source, bytes]:
    """Returns the edited contents of the source and of all sources that it still includes."""
    files: dict[Source, bytes] = {}

    def inside(included: Source) -> str | None:
        below = _kept(included, all_edits)
        if below[included] != included.content and _is_empty(below[included], included):
            return ''  # MuJoCo cannot include an empty file
        files.update(below)
        return None

    files[source] = _patched(source, all_edits[source], inside)
    return files


def _is_empty(content: bytes, source: Source) -> bool:
    text = Source(content, encoding=source.text.encoding).text
    return end_tag(text, tag_at(text, source.start // text.width)) is not None
