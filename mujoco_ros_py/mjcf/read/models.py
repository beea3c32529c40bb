"""Reads models from strings and files."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import partial
from os import PathLike, fspath
from os.path import dirname
from typing import IO, TYPE_CHECKING, Any, TypeVar

from ... import mujoco_resources
from ..sources.parsing import IllFormedError
from ..sources.source import Source
from ..tree.kinds import model_class
from ..write.form import SEPARATOR
from .reader import Reader

if TYPE_CHECKING:
    from ..compose.root import RootElement

Model = TypeVar('Model', bound='RootElement')


def from_xml_string(
    xml_string: str | bytes,
    escape_separators: bool = False,
    model_dir: str = '',
    resolve_references: bool = True,
    assets: Mapping[str, bytes] | None = None,
) -> RootElement:
    """Parses a model from a string.

    Files are looked up in `assets`, then in the folder `model_dir`. Slashes in names come from
    attached models; they are kept, or replaced with backslashes if `escape_separators` is true.
    References return the referenced elements; if `resolve_references` is false, they return names
    until `resolve_references()` is called. Raises MjcfError for invalid MJCF, and TypeError if
    `xml_string` is not text or `assets` is not a mapping.
    """
    if not isinstance(assets, Mapping | None):
        raise TypeError(f'assets must map names to bytes, got {type(assets).__name__}')
    new = partial(model_class(), model_dir=model_dir, assets=dict(assets or {}))
    return read(new, xml_string, escape_separators, resolve_references)


def read(
    new: Callable[[], Model],
    xml_string: str | bytes,
    escape_separators: bool,
    resolve_references: bool,
) -> Model:
    """Fills a model created by `new` with the content of the string, and returns it."""
    if isinstance(xml_string, str):
        content, encoding = xml_string.encode(errors='surrogatepass'), 'utf-8'
    elif isinstance(xml_string, bytes | bytearray | memoryview):
        content, encoding = bytes(xml_string), None
    else:
        raise TypeError(f'a model must be text or bytes, got {type(xml_string).__name__}')
    model = new()
    try:
        Reader(model).read(Source(content, encoding=encoding))
    except IllFormedError as error:
        model = new()
        reader = Reader(model, tolerant=True)
        reader.read(Source(content, encoding=encoding))
        warnings.warn(f'{error}; MuJoCo reads it anyway, and so does this package', stacklevel=3)
    model.namescope.follows = resolve_references
    if escape_separators:
        _escape_separators(model)
    return model


def from_file(
    file_handle: IO[Any],
    escape_separators: bool = False,
    model_dir: str = '',
    resolve_references: bool = True,
    assets: Mapping[str, bytes] | None = None,
) -> RootElement:
    """Reads a model from an open file, with the arguments and errors of `from_xml_string`.

    Raises TypeError for a path, and for an object that is not a file.
    """
    if isinstance(file_handle, str | PathLike):
        raise TypeError(
            f'file_handle must be an open file, got the path {fspath(file_handle)!r};'
            ' use from_path instead'
        )
    if not hasattr(file_handle, 'read'):
        raise TypeError(f'file_handle must be an open file, got {type(file_handle).__name__}')
    return from_xml_string(
        file_handle.read(), escape_separators, model_dir, resolve_references, assets
    )


def from_path(
    path: str | PathLike[str],
    escape_separators: bool = False,
    resolve_references: bool = True,
    assets: Mapping[str, bytes] | None = None,
) -> RootElement:
    """Reads a model from a file, or from a URI with a registered resource provider.

    File names in the model are relative to the file's folder.
    """
    content, folder = read_with_folder(path)
    return from_xml_string(content, escape_separators, folder, resolve_references, assets)


def read_with_folder(path: str | PathLike[str]) -> tuple[bytes, str]:
    """Returns the content of a file or URI, and its folder."""
    name = fspath(path)
    return mujoco_resources.read('', name), dirname(name) or '.'


def _escape_separators(model: RootElement) -> None:
    for element in list(model.walk()):
        for reference in element._references:
            name = element._values.get(reference.key)
            if isinstance(name, str) and SEPARATOR in name:
                element._values[reference.key] = name.replace(SEPARATOR, '\\')
                element._edited = True
        name = element._name
        if name and SEPARATOR in name:
            escaped = name.replace(SEPARATOR, '\\')
            element._check_name(escaped)
            element.namescope.by_namespace[element._scope][escaped] = element
            del element.namescope.by_namespace[element._scope][name]
            element._values[element._key or ''] = escaped
            element._edited = True
