"""Reads models as MJCF, which can be composed and compiled again."""

from __future__ import annotations

import posixpath
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import mujoco

from ...engine.resources import holding, provides, read
from ...errors import EntityError, SpawnFault
from ...named_files import is_urdf
from ...simulation import ModelSource, archive_of, compile_model, is_compiled
from ..fingerprint import fingerprint

if TYPE_CHECKING:
    from ...mjcf import RootElement


def read_model(source: ModelSource, kept: ExitStack) -> RootElement:
    """Reads the model of a source that has compiled, so its files are already checked.

    `kept` keeps open the files that the model is compiled from. Raises MjcfError, UrdfError, and
    EntityError for a compiled model, which cannot be composed.
    """
    # Imported only when needed, because this imports all of MJCF.
    from ...mjcf import RootElement, from_spec

    if isinstance(source.made, mujoco.MjSpec):
        return from_spec(source.made)
    if source.made is not None or is_compiled(source):
        raise EntityError(
            f'{source.name}: a compiled model cannot be composed with others; use MJCF or URDF',
            SpawnFault.UNSUPPORTED_FORMAT,
        )
    if source.xml:
        return _of_text(source.xml.encode(errors='surrogateescape'), '', source)
    if not source.path:
        return RootElement('empty')
    archived = archive_of(source)
    path = source.path if archived is None else _held(*archived, kept)
    content = read(path) if provides(path) else Path(path).read_bytes()
    return _of_text(content, posixpath.dirname(path), source)


def read_base(source: ModelSource, digest: bytes, kept: ExitStack) -> RootElement:
    """Reads the loaded model, whose fingerprint was `digest`, and returns its `settled` form.

    Raises ModelError, and EntityError if the model has changed since.
    """
    from ...mjcf.spec.compiled_differences import differences
    from ...mjcf.spec.settling import compiled, settled

    loaded = compile_model(source)
    if fingerprint(loaded) != digest:
        raise EntityError(
            f'the files of {source.name} have changed since the model was loaded; reload it first'
        )
    base = settled(read_model(source, kept))
    if different := differences(loaded, compiled(base)):
        raise EntityError(
            f'{source.name} cannot be composed with others: read as MJCF by this package, it'
            f' differs in {", ".join(different)}'
        )
    return base


def check_resource(source: ModelSource) -> None:
    """Raises EntityError if the file does not exist."""
    path = source.path
    if path and not provides(path) and archive_of(source) is None and not Path(path).is_file():
        raise EntityError(f'{source.name}: no such file', SpawnFault.NO_RESOURCE)


def _of_text(content: bytes, folder: str, source: ModelSource) -> RootElement:
    """Reads MJCF or URDF text; file names in it are relative to `folder`."""
    from ...mjcf import from_xml_string
    from ...urdf import read_urdf

    if is_urdf(content):
        model, _ = read_urdf(content, folder=folder, assets=source.assets, origin=source.name)
        return model
    return from_xml_string(content, model_dir=folder, assets=source.assets)


def _held(name: str, file: str | None, kept: ExitStack) -> str:
    """Serves the files of a zip to MuJoCo while `kept` is open; returns the model's path."""
    from ...mjcf.files.archives import main_file, main_names, open_archive, read_archive

    content = read(name) if provides(name) else read_archive(Path(name))
    archive = open_archive(content, name)
    root = kept.enter_context(holding(name, archive))
    return root + (file or main_file(archive, main_names(name), name))
