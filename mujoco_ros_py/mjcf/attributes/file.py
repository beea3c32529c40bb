"""Attributes that name a file."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from os.path import abspath
from pathlib import Path
from posixpath import basename, dirname, join, relpath
from typing import TYPE_CHECKING, Any

from ...mujoco_resources import below, is_absolute, joined, provides
from ..files.assets import Asset, FileAsset, slashes
from ..files.names import name_of_file
from ..files.skins import SkinAsset
from .attribute import Attribute

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..tree.element import Element
    from ..write.form import Form

_MODEL, _SKIN = 'model', 'skin'
_LOOKED_AT = {'flexcomp': '', 'hfield': 'assetdir', _SKIN: 'assetdir'}
"""The tags for which MuJoCo looks for a file in one folder and opens it in another. Maps each tag
to the <compiler> setting of the folder where MuJoCo looks (empty: the model's folder). If the file
is not there, MuJoCo uses the include's folder."""
_OF_MESHES = '.stl', '.msh', '.obj'
"""The extensions of mesh files for which MuJoCo needs no `content_type`."""
_MANY = 10
"""The maximum number of file names listed in an error."""


class File(Attribute):
    """An attribute that names a file. Its value is an Asset, created when first accessed."""

    of_files = True

    def accept(self, element: Element, value: object) -> Asset:
        """Returns an Asset unchanged, or the Asset of the file at a path.

        Raises OSError if the file cannot be read.
        """
        if isinstance(value, str):
            asset: Asset = self._find(element, value)
            asset.contents  # noqa: B018 (reads the file)
        elif isinstance(value, Asset):
            asset = value
        else:
            raise self.wrong('the path of a file or an Asset', value)
        self._check_extension(element, asset)
        if element.tag == _SKIN:
            skin = _of_skin(asset, element)
            skin.bind()
            return skin
        return asset

    def keep(self, element: Element, kept: object) -> None:
        """Stores the file.

        An element without its own name can then be looked up by the file's name.
        """
        before, values = element._name, element._values
        after = element._name_with({**values, self.key: kept})
        if after and after != before:
            element._check_name(after)
        super().keep(element, kept)
        if after != before:
            element._rename(before, after)

    def forget(self, element: Element) -> None:
        """Deletes the file.

        An element without its own name can then no longer be looked up by the file's name.
        """
        before = element._name
        super().forget(element)
        if element._name != before:
            element._rename(before, None)

    def value(self, element: Element, kept: Any) -> Asset:
        """Returns the Asset. The file is read when its content is first used."""
        asset: Asset = kept if isinstance(kept, Asset) else self._find(element, kept)
        if element.tag == _SKIN:
            asset = _of_skin(asset, element)
        element._values[self.key] = asset
        return asset

    def resolve(self, element: Element) -> None:
        """Binds a skin to the bodies named in its file, if the file exists."""
        if self.key in element._values:
            asset = self.value(element, element._values[self.key])
            if isinstance(asset, SkinAsset):
                with suppress(OSError):
                    asset.bind()

    def text(self, element: Element, kept: object, form: Form) -> str:
        """Returns the file name to write."""
        if form.filenames != 'written':
            return name_of_file(self.assets(element, form)[0], form)
        if isinstance(kept, str) and not (form.spliced and folder_of_include(element)):
            return kept
        asset = self.value(element, kept)
        if not form.lenient and isinstance(asset, SkinAsset) and asset.is_outdated(form):
            raise ValueError(
                f'{self.key} {asset.original_name()!r} contains old names of renamed bodies:'
                ' to_xml_string and the exports rewrite the file, but to_source and save do not'
            )
        return self._as_written(element, asset, form)

    def _as_written(self, element: Element, asset: Asset, form: Form) -> str:
        """Returns the path as written, or a new path if the old path leads to another file."""
        if asset.written is None or asset.path is None:
            return asset.get_vfs_filename(filename_with_hash=False)
        find = self._in_model if form.spliced else self._path
        if find(element, asset.written) == asset.path:
            return asset.written
        folder = self._folder(element)
        if is_absolute(asset.path):
            return asset.path
        if is_absolute(folder):
            return abspath(join(element.root.model_dir, asset.path))
        return relpath(asset.path, folder or '.')

    def assets(self, element: Element, form: Form) -> list[Asset]:
        """Returns the files that MuJoCo needs for this attribute if `form` writes the model."""
        asset = self.value(element, element._values[self.key])
        try:
            self._check_extension(element, asset)
            if isinstance(asset, SkinAsset):
                return [asset.written_in(form)]
        except ValueError as error:
            raise ValueError(f'{element}: {error}') from None
        if form.filenames == 'located' and asset.location is not None:
            return [asset]
        return element._with_its_files(asset)

    def _check_extension(self, element: Element, asset: Asset) -> None:
        typed = element.tag != 'mesh' or 'content_type' in element._values
        if not typed and asset.extension.lower() not in _OF_MESHES:
            raise self.wrong(f'a file of {", ".join(_OF_MESHES)}', asset.extension)

    def placed(self, element: Element, written: str) -> FileAsset:
        """Returns the file with this name in the model's folder, even if it does not exist."""
        return self._asset(element, written, self._in_model(element, written))

    def _find(self, element: Element, written: str) -> FileAsset:
        return self._asset(element, written, self._path(element, written))

    def _asset(self, element: Element, written: str, path: str) -> FileAsset:
        root = element.root
        load_it = partial(_load, root, element, written, path)
        return FileAsset(written, path, load_it, location(root, written, path))

    def _path(self, element: Element, written: str) -> str:
        """Returns the path of a file, relative to the model's folder.

        MuJoCo looks for the file in the model's folder, and then next to the included file that
        contains the element. It looks for attached models only next to the included file.
        """
        path, folder = self._in_model(element, written), folder_of_include(element)
        root = element.root
        if not folder or not root._is_root or self._is_stripped(root):
            return path
        near = joined(folder, written)
        if element.tag == _MODEL:
            return path if written in root.assets else near
        looked_at = joined(self._looked_at(element), written)
        there = written in root.assets or root.has_file(looked_at)
        if there:
            return path
        return near if looked_at != path or root.has_file(near) else path

    def _in_model(self, element: Element, written: str) -> str:
        path = basename(slashes(written)) if self._is_stripped(element.root) else written
        return joined(self._folder(element), path)

    def _folder(self, element: Element) -> str:
        """Returns the model's folder for files of this kind; empty if none is set."""
        of = self.spec.namespace
        if of is None:
            return ''
        values = _compiler(element.root)
        return slashes(values.get(of) or values.get('assetdir') or '')

    def _is_stripped(self, root: Element) -> bool:
        """Returns whether MuJoCo ignores folders in file names of this kind."""
        return self.spec.namespace is not None and _compiler(root).get('strippath') == 'true'

    def _looked_at(self, element: Element) -> str:
        """Returns the folder where MuJoCo looks for a file before it tries the include's."""
        if element.tag in _LOOKED_AT:
            return slashes(_compiler(element.root).get(_LOOKED_AT[element.tag]) or '')
        return self._folder(element)


def folder_of_include(element: Element) -> str:
    """Returns the folder of the included file that contains an element.

    It is empty for elements from the model's own folder.
    """
    source = element._source
    return '' if source is None else dirname(source.path)


def _compiler(root: Element) -> dict[str, Any]:
    return next((each._values for each in root._children if each.tag == 'compiler'), {})


def _of_skin(asset: Asset, skin: Element) -> SkinAsset:
    return asset.of(skin) if isinstance(asset, SkinAsset) else SkinAsset(asset, skin)


def _load(root: RootElement, element: Element, written: str, path: str) -> bytes:
    """Reads a file from the model's assets, by name or by path, or from the model's folder.

    Raises OSError with the element, the searched places, and the files that exist there.
    """
    if not root._is_root:
        raise ValueError(
            f'{element}: the path {written!r} is relative to a model, but the element is in none'
        )
    if written in root.assets:
        return root.assets[written]
    try:
        return root.read_file(path)
    except OSError as error:
        where = element._location
        place = '' if where is None else f' ({where})'
        near = f', nor next to {where.path!r}' if where is not None and dirname(where.path) else ''
        full = below(root.model_dir, path)
        there = '' if ':/' in full or provides(full) else f' ({_siblings(Path(full))})'
        told = f'{written!r} is not in assets{near}: {error.strerror or error}{there}'
        told = f'{element}{place}: {told}'
        of = () if error.errno is None else (error.errno, told, error.filename)
        raise OSError(*(of or (told,))) from None


def location(root: RootElement, written: str, path: str) -> str | None:
    """Returns the absolute path or URI of a file; None for a file in the model's assets."""
    if not root._is_root or written in root.assets or path in root.assets:
        return None
    full = below(root.model_dir, path)
    return full if is_absolute(full) else abspath(full)


def _siblings(path: Path) -> str:
    if not path.parent.is_dir():
        return 'its folder does not exist'
    names = sorted(each.name for each in path.parent.iterdir())
    more = ', ...' if len(names) > _MANY else ''
    return f'its folder contains {", ".join(names[:_MANY]) or "nothing"}{more}'
