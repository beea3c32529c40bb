"""Rewrites the file names in a model for another folder."""

from __future__ import annotations

import re
from os.path import relpath
from posixpath import basename
from typing import TYPE_CHECKING

from ...mujoco_resources import joined
from ..files.assets import slashes
from ..write.form import Form

if TYPE_CHECKING:
    from ..tree.element import Element
    from .root import RootElement

_ELSEWHERE = re.compile('[^/]*:')
"""Matches the beginning of URIs, including URIs without a registered resource provider."""
_SPLICED = Form(spliced=True)
_FOLDERS = 'meshdir', 'texturedir', 'assetdir'


def relocate(model: RootElement, folder: str) -> None:
    """Rewrites the file names of a model to keep their meaning in another folder.

    This changes the folders set in <compiler>, and file names that are not relative to them.
    """
    way = slashes(relpath(model.model_dir or '.', folder or '.'))
    if way == '.':
        return
    names = [
        (element, file, file.text(element, element._values[file.key], _SPLICED))
        for element in model.walk()
        for file in element._files
        if element._values.get(file.key)
    ]
    compiler = model.get_children('compiler')
    stripped = compiler._values.pop('strippath', 'false') == 'true'
    known = [key for key in _FOLDERS if compiler._values.get(key)]
    if 'assetdir' not in known:
        wanted = {file.spec.namespace for _, file, _ in names}
        known += [key for key in _FOLDERS if key in wanted and key not in known]
    for key in known:
        _set(compiler, key, _moved(compiler._values.get(key, ''), way))
    for element, file, name in names:
        path = basename(slashes(name)) if stripped else name
        path = path if file.spec.namespace else _moved(path, way)
        _set(element, file.key, file.placed(element, path))


def _moved(path: str, way: str) -> str:
    return path if _ELSEWHERE.match(path) else joined(way, path)


def _set(element: Element, key: str, kept: object) -> None:
    """Sets an attribute without reading the file, which need not exist yet."""
    element._values[key] = kept
    element._edited = True
