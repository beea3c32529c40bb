"""The `flatten` command: merges a model and its includes into one file."""

from __future__ import annotations

import re
from os.path import dirname, relpath
from posixpath import basename
from typing import TYPE_CHECKING

from ....errors import MjcfError
from ....mujoco_resources import joined
from ...files.assets import slashes
from ...sources.saving import to_bytes
from ...write.form import Form
from .arguments import FILE, OUTPUT, command
from .inputs import is_zip, open_input
from .outputs import fail, write

if TYPE_CHECKING:
    from ...compose.root import RootElement
    from ...tree.element import Element

_ELSEWHERE = re.compile('[^/]*:')
"""Matches the beginning of URIs, including URIs without a registered resource provider."""
_SPLICED = Form(spliced=True)
_FOLDERS = 'meshdir', 'texturedir', 'assetdir'


@command('scene.xml -o whole/scene.xml')
@FILE
@OUTPUT
def flatten(file: str, out: str | None) -> int:
    """Merge the includes of a model into its own file.

    Prints the model with its includes replaced by their contents; the rest of the text stays
    unchanged. File names of meshes and the like are relative to the folder of FILE, or with -o to
    the folder of OUT. <attach> elements stay. For a model in a zip file, use `export`.

    Exit code: 0 the model was written; 2 it could not be written.
    """
    try:
        if is_zip(file):
            raise MjcfError('flatten would lose the other files of a zip; use `export` instead')
        model = open_input(file).model()
    except (OSError, MjcfError) as error:
        return fail(file, error)
    if out is not None:
        _relocate(model, dirname(out))
    return write(to_bytes(model), out)


def _relocate(model: RootElement, folder: str) -> None:
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
