"""Reads the files that elements name."""

from __future__ import annotations

from pathlib import Path
from posixpath import join
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..tree.element import Element

_MANY = 10
"""The number of file names that an error lists."""


def load(root: RootElement, element: Element, written: str, path: str) -> bytes:
    """Reads a file from the model's assets, by name or by path, or from the model's folder.

    Raises OSError, which tells the element, where the file was searched, and which files exist
    there.
    """
    if not root._is_root:
        raise ValueError(f'{element}: file {written!r} is relative to a model, and it is in none')
    if written in root.assets:
        return root.assets[written]
    try:
        return root.read_file(path)
    except OSError as error:
        there = _siblings(Path(root.model_dir, path))
        where = element._location
        place = '' if where is None else f' ({where})'
        reason = f'{element}{place}: {written!r} is not in assets, and {error.strerror} ({there})'
        raise OSError(error.errno, reason, error.filename) from None


def location(root: RootElement, written: str, path: str) -> str | None:
    """Returns the path of a file outside of the model's assets, as MuJoCo opens it."""
    if not root._is_root or written in root.assets or path in root.assets:
        return None
    return join(root.model_dir, path)


def _siblings(path: Path) -> str:
    if not path.parent.is_dir():
        return 'nor is its folder'
    names = sorted(each.name for each in path.parent.iterdir())
    more = ', ...' if len(names) > _MANY else ''
    return f'its folder has {", ".join(names[:_MANY]) or "nothing"}{more}'
