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
    """The model in a zip; other files are relative to the folder in which it is there.

    `model_file` tells which it is if there are several XML files: its path, or its name if no
    other has that; model.xml may be called as the zip instead. Raises ValueError if there is none,
    or if none or several are called so, and for a zip that is too large or broken, is encrypted or
    has names that lead out of it.
    """
    content, assets = read_model(path, model_file)
    nowhere = f'{path}!'  # what is not in the zip is not looked for in the current folder
    return from_xml_string(content, escape_separators, nowhere, resolve_references, assets)


def read_model(path: str | PathLike[str], model_file: str) -> tuple[bytes, dict[str, bytes]]:
    """The XML of the model as `from_zip` finds it, and the other files by their paths from it."""
    own, default = main_names(path)
    return read_zip(path, [default, own] if model_file == default else [model_file])


def read_zip(path: str | PathLike[str], wanted: Sequence[str]) -> tuple[bytes, dict[str, bytes]]:
    """The XML of the model, by these names, and the other files by their paths from it."""
    with open_archive(read_archive(Path(path)), path) as archive:
        xml = main_file(archive, wanted, path)
        files = unpack(archive, path)
    content = files.pop(xml)
    return content, {relpath(name, dirname(xml) or '.'): files[name] for name in files}
