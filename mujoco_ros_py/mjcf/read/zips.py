"""Reads models from zip files."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from posixpath import dirname, relpath
from typing import TYPE_CHECKING

from ..files.archives import MODEL_FILE, main_file, main_names, open_archive, read_archive, unpack
from .models import from_xml_string

if TYPE_CHECKING:
    from ..compose.root import RootElement


def from_zip(
    path: str | PathLike[str],
    model_file: str = MODEL_FILE,
    escape_separators: bool = False,
    resolve_references: bool = True,
) -> RootElement:
    """Reads a model from a zip file. File names are relative to the model's folder in the zip.

    If the zip file contains several XML files, `model_file` selects one by its path, or by its
    name if the name is unique; the default is model.xml or the name of the zip file. Raises
    ValueError if no file or several files match, or if the zip file is too large, damaged or
    encrypted, or contains paths that lead out of it.
    """
    content, assets = read_model(path, model_file)
    nowhere = f'{path}!'  # keeps files missing in the zip from being read from the working folder
    return from_xml_string(content, escape_separators, nowhere, resolve_references, assets)


def read_model(path: str | PathLike[str], model_file: str) -> tuple[bytes, dict[str, bytes]]:
    """Finds the model as `from_zip` does; returns its XML, and the other files by path."""
    own, default = main_names(path)
    return read_zip(path, [default, own] if model_file == default else [model_file])


def read_zip(path: str | PathLike[str], wanted: Sequence[str]) -> tuple[bytes, dict[str, bytes]]:
    """Returns the XML with one of these names, and the other files by relative path."""
    with open_archive(read_archive(Path(path)), path) as archive:
        xml = main_file(archive, wanted, path)
        files = unpack(archive, path)
    content = files.pop(xml)
    return content, {relpath(name, dirname(xml) or '.'): files[name] for name in files}
