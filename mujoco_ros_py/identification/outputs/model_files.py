"""Writes the fitted model: the edited source, an overlay and a unified diff."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from posixpath import isabs, normpath
from typing import Any

from ... import mjcf
from ...engine.resources import local_path
from ...errors import ConfigError
from ...mjcf.compose.relocation import relocate
from ...mjcf.sources.saving import edited_files
from ...mujoco_resources import is_absolute
from ...named_files import is_urdf
from ...simulation import compose, is_factory
from ...urdf import read_urdf_file
from .model_edits import Changed, apply_edits
from .urdf_copy import urdf_copy

OVERLAY, DIFF = 'overlay.xml', 'model.diff'
_MADE = 'robot.xml'


@dataclass(kw_only=True, slots=True)
class Twin:
    """The fitted model and its files."""

    root: mjcf.RootElement
    changed: Changed = field(default_factory=list)
    sources: list[Path] = field(default_factory=list)
    """The files that the model was read from: its own file, then the included files."""
    urdf: Path | None = None
    not_in_urdf: list[str] = field(default_factory=list)
    """The places that URDF cannot hold."""


def read_twin(model: str, edits: Mapping[str, Any], modules: Sequence[str] = ()) -> Twin:
    """Reads a model, and applies the edits.

    `modules` may make the model of a `python://` URI. Raises ConfigError for a missing file, and
    ModelError.
    """
    twin = _read(model, modules)
    twin.changed = apply_edits(twin.root, edits)
    return twin


def write_model(twin: Twin, folder: Path, final: Path) -> None:
    """Writes the files of a model to a folder, which will be moved to `final`."""
    overlay = mjcf.overlay_of(twin.root, twin.changed)
    (folder / OVERLAY).write_text(overlay.to_xml_string())
    if twin.urdf is not None:
        _write_urdf(twin, twin.urdf, folder)
    elif not twin.sources:
        mjcf.export_with_assets(twin.root, folder, _MADE, filenames='original')
    else:
        _write_source(twin, folder, final)


def _read(model: str, modules: Sequence[str]) -> Twin:
    if is_factory(model):
        source = compose(model, modules)
        return Twin(root=mjcf.from_xml_string(source.xml, assets=dict(source.assets)))
    path = Path(local_path(model))
    try:
        content = path.read_bytes()
        if path.suffix.lower() == '.zip':
            return Twin(root=mjcf.from_zip(path))
        if is_urdf(content):
            robot = read_urdf_file(path).model
            return Twin(root=robot, urdf=path, sources=[path])
        root = mjcf.from_path(path)
    except OSError as error:
        raise ConfigError(f'model: {model}: {error.strerror or error}') from None
    included = [path.parent / each for each in edited_files(root) if each and not _is_uri(each)]
    return Twin(root=root, sources=[path, *included])


def _is_uri(path: str) -> bool:
    return is_absolute(path) and not isabs(path)


def _write_urdf(twin: Twin, path: Path, folder: Path) -> None:
    before = path.read_bytes()
    after, twin.not_in_urdf = urdf_copy(before, twin.changed)
    (folder / path.name).write_bytes(after)
    (folder / DIFF).write_bytes(_diff(path.name, before, after))
    name = path.with_suffix('.xml').name
    mjcf.export_with_assets(twin.root, folder, name, filenames='original')


def _write_source(twin: Twin, folder: Path, final: Path) -> None:
    """Writes the edited source and its includes; files such as meshes stay where they are."""
    name = twin.sources[0].name
    files = edited_files(twin.root)
    pairs = ((path or name, before, after) for path, (before, after) in files.items())
    (folder / DIFF).write_bytes(b''.join(_diff(*each) for each in pairs))
    whole = not any(_leaves(path) for path in files)
    clash = {OVERLAY, DIFF, name} & {normpath(path) for path in files if path}
    relocate(twin.root, os.fspath(final))
    mjcf.save(twin.root, folder / name, keep_includes=whole and not clash)


def _leaves(path: str) -> bool:
    """Returns whether an included file is not below the folder of the model."""
    return is_absolute(path) or normpath(path).startswith('..')


def _diff(name: str, before: bytes, after: bytes) -> bytes:
    """Returns a unified diff in the encoding of the file, which `patch -p1` applies."""
    if before == after:
        return b''
    old, new = (each.decode('latin-1').splitlines(keepends=True) for each in (before, after))
    lines = unified_diff(old, new, f'a/{name}', f'b/{name}')
    text = ''.join(
        line if line.endswith('\n') else f'{line}\n\\ No newline at end of file\n'
        for line in lines
    )
    return text.encode('latin-1')
