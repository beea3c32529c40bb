"""Reads URDF from texts and files."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from posixpath import dirname

from ..engine.resources import local_path, provides, read
from .conversion_to_mjcf import UrdfModel, converted
from .robot_files import RobotFiles
from .urdf_text import parsed


def read_urdf(
    text: str | bytes,
    *,
    floating: bool = False,
    folder: str = '',
    assets: Mapping[str, bytes] | None = None,
    origin: str = '',
) -> UrdfModel:
    """Returns the model of a URDF and what it lacks.

    The root link is fixed to the world, or moves freely if it is `floating`. Files are looked up
    in `assets` by the names that the URDF has, then in the folder, which is a path or a URI;
    `package://` names are looked up as in `modelfile`. `origin` is the name of the text in
    errors. Raises UrdfError with line and element for what breaks a rule.
    """
    root = parsed(text, origin)
    return converted(root, RobotFiles(folder, dict(assets or {})), floating)


def read_urdf_file(path: str | PathLike[str], *, floating: bool = False) -> UrdfModel:
    """Returns the model of the URDF at a path or a URI, as `read_urdf` does.

    Raises UrdfError if the URDF breaks a rule, OSError if the file cannot be read, ConfigError for
    an unknown package and ResourceError for a URI that cannot be read.
    """
    name = fspath(path)
    if provides(name) and not name.startswith('package://'):
        content, folder = read(name), dirname(name)
    else:
        place = local_path(name)
        content, folder = place.read_bytes(), str(place.parent)
    return read_urdf(content, floating=floating, folder=folder, origin=name)
