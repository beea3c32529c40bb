"""Lists the models in files and folders, with their names, descriptions and tags."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from ...errors import ConfigError
from .model_resources import local_file
from .results import NOT_FOUND, ResultError

_SUFFIXES = {'.xml', '.mjcf', '.urdf'}
_ROOTS = {'mujoco', 'robot'}
_MOST_FILES = 1000
_MOST_BYTES = 10_000_000
_NETWORK = 'http:', 'https:'
_PARSER = {'resolve_entities': False, 'no_network': True, 'remove_comments': True}


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that can be loaded or spawned by its URI."""

    uri: str
    name: str
    """The name in the model, or else the name of its file."""
    description: str = ''
    """The text `description` of the model, in its element `custom`."""
    tags: tuple[str, ...] = ()
    """The words of the text `tags` of the model, in its element `custom`."""


def listed_models(place: str, *, offline_only: bool = False) -> list[ListedModel]:
    """Returns the models at a location: a file, a folder, or any other source of models.

    With `offline_only`, returns no models for a location on the network. Raises ResultError if the
    location does not exist.
    """
    if place.startswith(_NETWORK) and offline_only:
        return []
    try:
        path = None if place.startswith('python:') else local_file(place)
    except ConfigError as error:
        raise ResultError(str(error), NOT_FOUND) from error
    if path is None:
        return [ListedModel(place, Path(place).stem or place)]
    if path.is_dir():
        return list(_in_folder(place.rstrip('/'), path))
    if not path.is_file():
        raise ResultError(f'{place}: no such file or folder', NOT_FOUND)
    found = described_file(place, path)
    return [] if found is None else [found]


def described_file(uri: str, path: Path) -> ListedModel | None:
    """Returns the model in a file; None if the file contains no model."""
    if path.suffix.lower() == '.zip':
        return ListedModel(uri, path.stem)
    if path.suffix.lower() not in _SUFFIXES or path.stat().st_size > _MOST_BYTES:
        return None
    return described_text(uri, path.read_bytes(), path.stem)


def described_text(uri: str, text: bytes, name: str) -> ListedModel | None:
    """Returns the name, description and tags in the text of a model; None for any other text.

    A text that defines XML entities is skipped, because their expansion can grow without limit.
    """
    if b'<!ENTITY' in text:
        return None
    try:
        root = etree.fromstring(text, etree.XMLParser(**_PARSER))
    except (etree.XMLSyntaxError, ValueError):
        return None
    if root.tag not in _ROOTS:
        return None
    told = {each.get('name'): each.get('data', '') for each in root.iterfind('custom/text')}
    own = root.get('model') or root.get('name')
    return ListedModel(
        uri, own or name, told.get('description', ''), tuple(told.get('tags', '').split())
    )


def _in_folder(place: str, folder: Path) -> Iterator[ListedModel]:
    files = sorted(each.name for each in os.scandir(folder) if each.is_file())
    for name in files[:_MOST_FILES]:
        found = described_file(f'{place}/{name}', folder / name)
        if found is not None:
            yield found
