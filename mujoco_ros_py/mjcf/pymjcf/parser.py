"""Reads models from strings, files and zip files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from os import PathLike
from typing import IO, Any

from ..files.archives import MODEL_FILE
from ..read.models import read, read_with_folder
from ..read.zips import read_model
from .element import RootElement, add_sections

__all__ = ['from_file', 'from_path', 'from_xml_string', 'from_zip']


def from_xml_string(
    xml_string: str | bytes,
    escape_separators: bool = False,
    model_dir: str = '',
    resolve_references: bool = True,
    assets: Mapping[str, bytes] | None = None,
) -> RootElement:
    """Parses a model from a string, with the arguments of `mjcf.from_xml_string`."""
    new = partial(RootElement, model_dir=model_dir, assets=dict(assets or {}), empty=True)
    model = read(new, xml_string, escape_separators, False)
    add_sections(model)
    if resolve_references:
        model.resolve_references()
    return model


def from_file(
    file_handle: IO[Any] | str | PathLike[str],
    escape_separators: bool = False,
    model_dir: str = '',
    resolve_references: bool = True,
    assets: Mapping[str, bytes] | None = None,
) -> RootElement:
    """Reads a model from an open file or a path.

    File names in the model are relative to `model_dir`, not to the folder of the file.
    """
    if isinstance(file_handle, str | PathLike):
        content, _ = read_with_folder(file_handle)
    else:
        content = file_handle.read()
    return from_xml_string(content, escape_separators, model_dir, resolve_references, assets)


def from_path(
    path: str | PathLike[str],
    escape_separators: bool = False,
    resolve_references: bool = True,
    assets: Mapping[str, bytes] | None = None,
) -> RootElement:
    """Reads a model from a file. File names in the model are relative to the file's folder."""
    content, folder = read_with_folder(path)
    return from_xml_string(content, escape_separators, folder, resolve_references, assets)


def from_zip(
    path: str | PathLike[str],
    model_file: str = MODEL_FILE,
    escape_separators: bool = False,
    resolve_references: bool = True,
) -> RootElement:
    """Reads a model from a zip file, with the arguments of `mjcf.from_zip`."""
    content, assets = read_model(path, model_file)
    return from_xml_string(content, escape_separators, '', resolve_references, assets)
