"""Models as MuJoCo's MjSpec, which can be composed and compiled again."""

from __future__ import annotations

import posixpath
from contextlib import ExitStack
from pathlib import Path

import mujoco

from ...engine.resources import holding, provides, read
from ...errors import EntityError, SpawnFault
from ...named_files import is_urdf
from ...simulation import ModelSource, archive_of, is_compiled, urdf_as_mjcf

_EMPTY = '<mujoco model="empty"><worldbody/></mujoco>'


def spec_of(source: ModelSource, kept: ExitStack) -> mujoco.MjSpec:
    """Reads the model of a source, which compiles: what it names is checked already.

    `kept` keeps open what the model is compiled from. Raises EntityError for a compiled model,
    which cannot be composed.
    """
    if isinstance(source.made, mujoco.MjSpec):
        return source.made.copy()
    if source.made is not None or is_compiled(source):
        raise EntityError(
            f'{source.name}: a compiled model cannot be composed with others; give MJCF or URDF',
            SpawnFault.UNSUPPORTED_FORMAT,
        )
    if source.xml:
        return _of_text(source.xml.encode(errors='surrogateescape'), '', source)
    if not source.path:
        return mujoco.MjSpec.from_string(_EMPTY)
    archived = archive_of(source)
    path = source.path if archived is None else _held(*archived, kept)
    content = read(path) if provides(path) else Path(path).read_bytes()
    if is_urdf(content):
        return _of_text(content, posixpath.dirname(path), source)
    return mujoco.MjSpec.from_file(path)


def check_resource(source: ModelSource) -> None:
    """Raises EntityError for a file that is not there."""
    path = source.path
    if path and not provides(path) and archive_of(source) is None and not Path(path).is_file():
        raise EntityError(f'{source.name}: no such file', SpawnFault.NO_RESOURCE)


def _of_text(content: bytes, folder: str, source: ModelSource) -> mujoco.MjSpec:
    """Reads a text of MJCF or URDF; the names of files in a URDF are relative to the folder."""
    if not is_urdf(content):
        return mujoco.MjSpec.from_string(source.xml, dict(source.assets))
    xml, assets = urdf_as_mjcf(content, folder, source.name, source.assets, [])
    return mujoco.MjSpec.from_string(xml, assets)


def _held(name: str, file: str | None, kept: ExitStack) -> str:
    """Offers the files of a zip to MuJoCo for as long as `kept`; returns the path of the model."""
    # Imported when it is needed: all of MJCF comes along.
    from ...mjcf.files.archives import main_file, main_names, open_archive, read_archive

    content = read(name) if provides(name) else read_archive(Path(name))
    archive = open_archive(content, name)
    root = kept.enter_context(holding(name, archive))
    return root + (file or main_file(archive, main_names(name), name))
