"""Files of a model that is going to be in another folder."""

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
"""How paths begin that no folder counts for: those of drives and resource providers."""
_FOLDERS = 'meshdir', 'texturedir', 'assetdir'


def relocate(model: RootElement, folder: str) -> None:
    """Makes names of files mean in that folder what they mean in the folder of a model as read.

    The folders that `compiler` names change, the names of files only if they are in none.
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
    """Sets an attribute without reading the file that it names, which may not be there."""
    if element._values.get(key) != text:
        element._values[key] = text
        element._edited = True
