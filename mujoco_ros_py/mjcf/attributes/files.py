"""Attributes that name a file or a folder."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from posixpath import basename, join, normpath
from typing import TYPE_CHECKING, Any

from ..assets import Asset, FileAsset, slashes
from ..skins import SkinAsset
from ..submodels import with_its_files
from .base import Attribute
from .words import Keyword, String

if TYPE_CHECKING:
    from ..element import Element
    from ..form import Form
    from ..root import RootElement

_SKIN = 'skin'
_MANY = 10
"""Names of files that an error tells."""
_OF_MESHES = '.stl', '.msh', '.obj'
"""What MuJoCo reads a mesh from without being told the type of the content."""


class File(Attribute):
    """A file: an Asset, or the path of it until somebody asks for the Asset."""

    scoped = True

    def accept(self, element: Element, value: Any) -> Asset:
        """An Asset, or the path of a file, which is read; OSError if that fails."""
        if isinstance(value, str):
            asset: Asset = self._find(element, value)
            asset.contents  # noqa: B018 reads it
        elif isinstance(value, Asset):
            asset = value
        else:
            raise self.wrong('the path of a file or an Asset', value)
        self._check_extension(element, asset)
        if element.tag == _SKIN:
            asset = _of_skin(asset, element)
            asset.bind()
        return asset

    def keep(self, element: Element, kept: Any) -> None:
        """An element without a name is found by that of the file."""
        before, values = element._name, element._values
        after = element._name_with({**values, self.key: kept})
        if after and after != before:
            element._check_name(after)
        super().keep(element, kept)
        if after != before:
            element._rename(before, after)

    def forget(self, element: Element) -> None:
        """Neither is it found by that any more."""
        before = element._name
        super().forget(element)
        if element._name != before:
            element._rename(before, None)

    def value(self, element: Element, kept: Any) -> Asset:
        """The Asset; its content is read when that is asked for."""
        asset: Asset = kept if isinstance(kept, Asset) else self._find(element, kept)
        if element.tag == _SKIN:
            asset = (
                asset.of(element) if isinstance(asset, SkinAsset) else SkinAsset(asset, element)
            )
        element._values[self.key] = asset
        return asset

    def resolve(self, element: Element) -> None:
        """A skin follows the bodies that it names from now on, if its file is there."""
        if self.key in element._values:
            asset = self.value(element, element._values[self.key])
            if isinstance(asset, SkinAsset):
                with suppress(OSError):
                    asset.bind()

    def text(self, element: Element, kept: Any, form: Form) -> str:
        """The name of the file in this form."""
        if form.filenames != 'written':
            return form.name_of_file(self.assets(element, form)[0])
        if isinstance(kept, str):
            return kept
        return kept.written or str(kept.get_vfs_filename(filename_with_hash=False))

    def assets(self, element: Element, form: Form) -> list[Asset]:
        """What MuJoCo is given for it, and for what that names, with a model in this form."""
        asset = self.value(element, element._values[self.key])
        try:
            self._check_extension(element, asset)
            if isinstance(asset, SkinAsset):
                return [asset.written_in(form)]
        except ValueError as error:
            raise ValueError(f'{element}: {error}') from None
        return with_its_files(element.root, asset) if element.tag == 'model' else [asset]

    def _check_extension(self, element: Element, asset: Asset) -> None:
        typed = element.tag != 'mesh' or 'content_type' in element._values
        if not typed and asset.extension.lower() not in _OF_MESHES:
            raise self.wrong(f'a file of {", ".join(_OF_MESHES)}', asset.extension)

    def _find(self, element: Element, written: str) -> FileAsset:
        path = slashes(written)
        root = element.root
        if root._is_root:
            compiler = root.compiler._values
            if compiler.get('strippath') == 'true':
                path = basename(path)
            path = join(slashes(self._directory(compiler)), path)
        return FileAsset(written, path, partial(_load, root, element, written, normpath(path)))

    def _directory(self, compiler: dict[str, Any]) -> str:
        of = self.spec.namespace
        found: str = (compiler.get(of) or compiler.get('assetdir') or '') if of else ''
        return found


def _load(root: RootElement, element: Element, written: str, path: str) -> bytes:
    if not root._is_root:
        raise ValueError(f'{element}: file {written!r} is relative to a model, and it is in none')
    if written in root.assets:
        return root.assets[written]
    try:
        return root.read_file(path)
    except OSError as error:
        there = _siblings(Path(root.model_dir, path))
        reason = f'{element}: {written!r} is not in assets, and {error.strerror} ({there})'
        raise OSError(error.errno, reason, error.filename) from None


def _siblings(path: Path) -> str:
    if not path.parent.is_dir():
        return 'nor is its folder'
    names = sorted(each.name for each in path.parent.iterdir())
    more = ', ...' if len(names) > _MANY else ''
    return f'its folder has {", ".join(names[:_MANY]) or "nothing"}{more}'


class _OfFiles(Attribute):
    """What tells where files are: written only where their names are as they were."""

    scoped = True

    def keep(self, element: Element, kept: Any) -> None:
        """Files that are named already stay where they are."""
        _settle(element)
        super().keep(element, kept)

    def forget(self, element: Element) -> None:
        """So they do then."""
        _settle(element)
        super().forget(element)

    def text(self, element: Element, kept: Any, form: Form) -> str | None:
        """None where files are named by paths from the model's folder."""
        return str(kept) if form.filenames == 'written' else None


def _settle(element: Element) -> None:
    for each in element.root.walk():
        for file in each._files:
            file.__get__(each)


class Directory(_OfFiles, String):
    """A folder of files."""


class StripPath(_OfFiles, Keyword):
    """Whether the folders in the names of files are ignored."""
