"""Writes models with the files that they need, to a folder or a zip file."""

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
    """Returns the model's XML and the files that it refers to, by their names in the XML."""
    form = Form(
        precision=precision,
        zero_threshold=zero_threshold,
        filenames=filenames,
        prefix_root=model,
        name_all=model._names_all,
    )
    files = contents_by_name(model, form)
    if xml_name in files:
        raise ValueError(
            f'the model refers to a file {xml_name!r}, but its own XML file has the same name'
        )
    return {**files, xml_name: write(model, form).encode()}


def contents_by_name(model: RootElement, form: Form) -> dict[str, bytes]:
    """Returns the contents of the files of a model and its attached models, by name.

    With `located` names, returns only the files that MuJoCo cannot find on disk or by URI.
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
    """Writes the XML and its files to a folder. The default file name is the model's name.

    Creates the folder if necessary. Raises ValueError if the name does not end with .xml.
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
    """Writes the XML and its files to a zip file, inside a folder named like the zip file.

    Returns the path of the zip file.
    """
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
    """Returns a zip file that contains these files in a folder."""
    content = BytesIO()
    with ZipFile(content, 'w', ZIP_DEFLATED) as archive:
        for name, each in files.items():
            archive.writestr(f'{folder}/{name}', each)
    return content.getvalue()


def _file_name(model: RootElement) -> str:
    """Returns the model's name as a file name, with slashes replaced."""
    return re.sub(r'[/\\]', '_', model.model)
