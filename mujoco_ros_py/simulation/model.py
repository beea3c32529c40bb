"""Compiles MJCF, from a file or from text, to a model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import mujoco

from ..engine.library import library
from ..engine.resources import provides, read, shown
from ..errors import ModelError, ResourceError

_MAX_BYTES = 32 * 2**20
"""An MJCF file beyond this is a mistake: meshes and textures lie in files of their own."""

_EMPTY = '<mujoco model="empty"><worldbody/></mujoco>'


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSource:
    """Where a model comes from: text beats path; neither: an empty world."""

    path: str = ''
    """An MJCF, URDF or MJB file, or the URI of one."""
    xml: str = ''
    """MJCF or URDF text."""

    @property
    def name(self) -> str:
        """How messages call the source."""
        return 'mujoco_xml' if self.xml else shown(self.path) or 'an empty world'


def compile_model(source: ModelSource) -> mujoco.MjModel:
    """The compiled model. Raises ModelError with the compiler's message.

    Compiling releases the GIL; it may take long and runs on the caller's thread.
    """
    try:
        if source.xml:
            _check_size(len(source.xml), source)
            return mujoco.MjModel.from_xml_string(source.xml)
        if provides(source.path):
            return _from_provider(source)
        if source.path:
            return _from_file(Path(source.path), source)
        return mujoco.MjModel.from_xml_string(_EMPTY)
    except (ValueError, OSError, mujoco.FatalError, mujoco.UnexpectedError) as error:
        raise ModelError(f'{source.name}: {str(error).strip() or type(error).__name__}') from error


def _from_file(path: Path, source: ModelSource) -> mujoco.MjModel:
    if not path.is_file():
        raise ModelError(f'{path}: {"is no file" if path.exists() else "no such file"}')
    if path.suffix.lower() == '.mjb':
        return _from_binary(str(path))
    _check_size(path.stat().st_size, source)
    with path.open('rb') as file:
        _check_head(file.read(4096), source)
    return mujoco.MjModel.from_xml_path(str(path))


def _from_binary(path: str) -> mujoco.MjModel:
    """It has the numbers of its plugins, which MuJoCo follows unseen wherever they lead."""
    model = mujoco.MjModel.from_binary_path(path)
    count = library().mjp_pluginCount()
    if model.nplugin and model.plugin.max() >= count:
        raise ModelError(
            f'{path}: uses engine plugin {model.plugin.max()}, there are {count}: a compiled model'
            ' knows plugins by the order of their registration; load the XML instead'
        )
    return model


def _from_provider(source: ModelSource) -> mujoco.MjModel:
    if source.path.lower().endswith('.mjb'):
        return _from_binary(source.path)
    try:
        content = read(source.path)
    except ResourceError as error:
        raise ModelError(str(error)) from error
    _check_size(len(content), source)
    _check_head(content[:4096], source)
    return mujoco.MjModel.from_xml_path(source.path)


def _check_head(head: bytes, source: ModelSource) -> None:
    if not head.strip():
        raise ModelError(f'{source.name}: is empty')
    if b'\0' in head:
        raise ModelError(f'{source.name}: is binary, not XML')


def _check_size(size: int, source: ModelSource) -> None:
    if size > _MAX_BYTES:
        raise ModelError(
            f'{source.name}: MJCF may have at most {_MAX_BYTES:,} bytes, this has {size:,}'
        )
