"""The command `flatten`, which writes a model with its includes as one file."""

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
"""Matches the beginning of URIs, also of those whose resource provider is not registered here."""
_SPLICED = Form(spliced=True)
_FOLDERS = 'meshdir', 'texturedir', 'assetdir'


@command('scene.xml -o whole/scene.xml')
@FILE
@OUTPUT
def flatten(file: str, out: str | None) -> int:
    """Put what a model includes into its own file.

    Prints the model with what it includes in the place of the includes; the rest of the text stays
    as it is. Names of meshes and other files are relative to the folder of FILE, or with -o to
    that of OUT. What <attach> takes from other models stays there. For a model in a zip there is
    `export`.

    Exit code: 0 the model was written; 2 it could not be written.
    """
    try:
        if is_zip(file):
            raise MjcfError('the files of a zip would be lost: `export` keeps them')
        model = open_input(file).model()
    except (OSError, MjcfError) as error:
        return fail(file, error)
    if out is not None:
        _relocate(model, dirname(out))
    return write(to_bytes(model), out)


def _relocate(model: RootElement, folder: str) -> None:
    """Rewrites the file names of a model so that they mean the same files from another folder.

    It changes the folders that `compiler` sets, and the names of those files that have no folder.
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
    """Sets an attribute without reading the file that it names, which need not exist yet."""
    element._values[key] = kept
    element._edited = True
