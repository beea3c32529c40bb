"""Models as MuJoCo's MjSpec, which can be composed and compiled again."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import mujoco

from ...engine.resources import holding, provides, read
from ...errors import EntityError, SpawnFault
from ...mjcf.files.archives import main_file, main_names, open_archive, read_archive
from ...simulation import ModelSource, archive_of, is_compiled


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
        return mujoco.MjSpec.from_string(source.xml, dict(source.assets))
    if not source.path:
        return mujoco.MjSpec.from_string('<mujoco model="empty"><worldbody/></mujoco>')
    if (archived := archive_of(source)) is not None:
        return mujoco.MjSpec.from_file(_held(*archived, kept))
    return mujoco.MjSpec.from_file(source.path)


def _held(name: str, file: str | None, kept: ExitStack) -> str:
    """Offers the files of a zip to MuJoCo for as long as `kept`; returns the path of the model."""
    content = read(name) if provides(name) else read_archive(Path(name))
    root = kept.enter_context(holding(name, open_archive(content, name)))
    return root + (file or main_file(open_archive(content, name), main_names(name), name))
