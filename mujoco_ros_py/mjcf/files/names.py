"""Chooses the file names in a written model; files with different contents get different names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .assets import Asset

if TYPE_CHECKING:
    from ..write.form import Form


def assets_of(model: Any, form: Form) -> Iterator[Asset]:
    """Yields the files of a model and its attached models, in document order."""
    below = model.attachments_below() if model._is_root else ()
    for part in (model, *below):
        for element in part.walk():
            for file in element._files:
                if element._values.get(file.key):
                    yield from file.assets(element, form)


def name_of_file(asset: Asset, form: Form) -> str:
    """Returns the file name to write.

    If different contents claim the same name, the name gets a hash and loses its folders.
    """
    if form.filenames == 'located':
        return asset.location or asset.get_vfs_filename()
    if form.filenames != 'hashed':
        name = _wanted(asset, form)
        if len(_contents(form)[name.lower()]) == 1:
            return name
    return asset.get_vfs_filename()


def _contents(form: Form) -> dict[str, set[str]]:
    """Maps each file name to the digests of the contents that claim it.

    The names are in lower case because MuJoCo ignores case.
    """
    found = form._contents
    if not found:
        for asset in assets_of(form.prefix_root, form):
            contents = found.setdefault(_wanted(asset, form).lower(), set())
            contents.add(asset.digest)
    return found


def _wanted(asset: Asset, form: Form) -> str:
    if form.filenames == 'original':
        return asset.original_name()
    return asset.get_vfs_filename(filename_with_hash=False)
