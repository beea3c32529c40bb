"""Rewrites file names for a model that will be stored in another folder."""

from __future__ import annotations

import re
from os.path import relpath
from posixpath import basename, isabs, join, normpath
from typing import TYPE_CHECKING

from .assets import slashes

if TYPE_CHECKING:
    from ..compose.root import RootElement
    from ..tree.element import Element

_ELSEWHERE = re.compile('[^/]*:')
"""Matches the beginning of paths that no folder applies to: drives and resource providers."""
_FOLDERS = 'meshdir', 'texturedir', 'assetdir'


def relocate(model: RootElement, folder: str) -> None:
    """Rewrites the file names of a model so that they mean the same files from another folder.

    It changes the folders that `compiler` sets, and the names of those files that have no folder.
    """
    way = slashes(relpath(model.model_dir or '.', folder or '.'))
    if way == '.':
        return
    compiler = model.get_children('compiler')
    stripped = compiler._values.pop('strippath', 'false') == 'true'
    wanted = set()
    for element in model.walk():
        for file in element._files:
            written = element._values.get(file.key)
            if not written:
                continue
            wanted.add(file.spec.namespace)
            path = basename(slashes(written)) if stripped else written
            _set(element, file.key, path if file.spec.namespace else _moved(path, way))
    known = [key for key in _FOLDERS if compiler._values.get(key)]
    if 'assetdir' not in known:
        known += [key for key in _FOLDERS if key in wanted and key not in known]
    for key in known:
        _set(compiler, key, _moved(compiler._values.get(key, ''), way))


def _moved(path: str, way: str) -> str:
    path = slashes(path)
    return path if isabs(path) or _ELSEWHERE.match(path) else normpath(join(way, path))


def _set(element: Element, key: str, text: str) -> None:
    """Sets an attribute without reading the file that it names, which need not exist yet."""
    if element._values.get(key) != text:
        element._values[key] = text
        element._edited = True
