"""Reads models from zip files."""

from __future__ import annotations

from io import BytesIO
from os import PathLike
from pathlib import Path
from posixpath import basename, dirname, relpath
from zipfile import BadZipFile, ZipFile

from ...errors import MjcfError
from ..reading import from_xml_string
from ..root import RootElement


def from_zip(
    path: str | PathLike[str],
    model_file: str = 'model.xml',
    escape_separators: bool = False,
    resolve_references: bool = True,
) -> RootElement:
    """The model in a zip; other files are relative to the folder in which it is there.

    `model_file` tells which it is if there are several XML files: its path, or its name if no
    other has that. Raises ValueError if there is none, or if none or several are called so.
    """
    content, assets = read_zip(path, model_file)
    return from_xml_string(content, escape_separators, '', resolve_references, assets)


def read_zip(
    path: str | PathLike[str], model_file: str = 'model.xml'
) -> tuple[bytes, dict[str, bytes]]:
    """The XML of the model, and the other files by their paths from its folder."""
    try:
        with ZipFile(BytesIO(Path(path).read_bytes())) as archive:
            names = [each.filename for each in archive.infolist() if not each.is_dir()]
            xml = _main(names, model_file, path)
            files = {name: archive.read(name) for name in names}
    except (BadZipFile, RuntimeError, NotImplementedError) as error:
        raise MjcfError(f'{path} is no zip file that can be read: {error}') from None
    content = files.pop(xml)
    return content, {relpath(name, dirname(xml) or '.'): files[name] for name in files}


def _main(names: list[str], model_file: str, path: object) -> str:
    found = [name for name in names if name.endswith('.xml')]
    if len(found) > 1:
        named = [name for name in found if name == model_file]
        found = named or [name for name in found if basename(name) == model_file]
    if len(found) != 1:
        known = ', '.join(name for name in names if name.endswith('.xml')) or 'none'
        raise MjcfError(f'{path} must have one XML file, or one {model_file!r}; it has: {known}')
    return found[0]
