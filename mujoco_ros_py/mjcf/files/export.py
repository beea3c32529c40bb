"""Writes models with the files that they need, into a folder or a zip file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile

from ..write.form import FileNames, Form
from ..write.writer import write
from .names import assets_of, name_of_file

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from .assets import Asset

_XML = '.xml'


def get_files(
    model: RootElement,
    xml_name: str,
    *,
    precision: int = 17,
    zero_threshold: float = 0,
    filenames: FileNames = 'hashed',
) -> dict[str, bytes]:
    """Returns the model's XML and all files that it names, by the names in that XML."""
    form = Form(
        precision=precision,
        zero_threshold=zero_threshold,
        filenames=filenames,
        prefix_root=model,
        name_all=model._names_all,
    )
    files = contents_by_name(model, form)
    if xml_name in files:
        raise ValueError(f'the model names a file {xml_name!r}, which is the name of its own XML')
    return {**files, xml_name: write(model, form).encode()}


def contents_by_name(model: RootElement, form: Form) -> dict[str, bytes]:
    """Returns the contents of the files that a model and those attached to it name, by name.

    Of `located` files only those are returned that are in memory alone.
    """
    if form.filenames == 'written':
        raise ValueError("filenames must be 'hashed', 'plain' or 'original', got 'written'")
    assets: list[Asset] = list(assets_of(model, form))
    if form.filenames == 'located':
        assets = [asset for asset in assets if asset.location is None]
    return {name_of_file(asset, form): asset.to_bytes() for asset in assets}


def export_with_assets(
    mjcf_model: RootElement,
    out_dir: str | PathLike[str],
    out_file_name: str | None = None,
    *,
    precision: int = 17,
    zero_threshold: float = 0,
    filenames: FileNames = 'hashed',
) -> None:
    """Writes the XML and its files into a folder; the default name is that of the model.

    The folder is created if it does not exist. Raises ValueError for a name that does not end with
    .xml.
    """
    name = _file_name(mjcf_model) + _XML if out_file_name is None else out_file_name
    if not name.lower().endswith(_XML):
        raise ValueError(f'out_file_name must end with {_XML!r}, got {name!r}')
    files = get_files(
        mjcf_model, name, precision=precision, zero_threshold=zero_threshold, filenames=filenames
    )
    for each, content in files.items():
        path = Path(out_dir, each)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def export_with_assets_as_zip(
    mjcf_model: RootElement,
    out_dir: str | PathLike[str],
    model_name: str | None = None,
    *,
    precision: int = 17,
    zero_threshold: float = 0,
    filenames: FileNames = 'hashed',
) -> str:
    """Writes the XML and its files into a zip file, in a folder of its name; returns the path."""
    name = _file_name(mjcf_model) if model_name is None else model_name
    files = get_files(
        mjcf_model,
        name + _XML,
        precision=precision,
        zero_threshold=zero_threshold,
        filenames=filenames,
    )
    path = Path(out_dir, f'{name}.zip')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(zipped(files, name))
    return str(path)


def zipped(files: Mapping[str, bytes], folder: str) -> bytes:
    """Makes a zip file that contains these files in a folder."""
    content = BytesIO()
    with ZipFile(content, 'w', ZIP_DEFLATED) as archive:
        for name, each in files.items():
            archive.writestr(f'{folder}/{name}', each)
    return content.getvalue()


def _file_name(model: RootElement) -> str:
    """Returns the name of the model as a file name, without parts that would be a folder."""
    return re.sub(r'[/\\]', '_', model.model)
