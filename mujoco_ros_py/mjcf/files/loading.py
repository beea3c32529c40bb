"""Reads the files that elements name."""

from __future__ import annotations

from os.path import abspath
from pathlib import Path
from posixpath import dirname
from typing import TYPE_CHECKING

from ...mujoco_resources import below, is_absolute, provides

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
        where = element._location
        place = '' if where is None else f' ({where})'
        near = f', nor beside {where.path!r}' if where is not None and dirname(where.path) else ''
        full = below(root.model_dir, path)
        there = '' if ':/' in full or provides(full) else f' ({_siblings(Path(full))})'
        told = f'{written!r} is not in assets{near}, and {error.strerror or error}{there}'
        told = f'{element}{place}: {told}'
        of = () if error.errno is None else (error.errno, told, error.filename)
        raise OSError(*(of or (told,))) from None


def location(root: RootElement, written: str, path: str) -> str | None:
    """Returns the absolute path or URI of a file outside of the model's assets."""
    if not root._is_root or written in root.assets or path in root.assets:
        return None
    full = below(root.model_dir, path)
    return full if is_absolute(full) else abspath(full)


def _siblings(path: Path) -> str:
    if not path.parent.is_dir():
        return 'nor is its folder'
    names = sorted(each.name for each in path.parent.iterdir())
    more = ', ...' if len(names) > _MANY else ''
    return f'its folder has {", ".join(names[:_MANY]) or "nothing"}{more}'
