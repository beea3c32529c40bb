"""The `export` command: writes a model with all its files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ...files.export import get_files, zipped
from ...files.names import assets_of
from ...write.form import FileNames, Form
from .arguments import FILE, command
from .inputs import STDIN, is_zip, open_input
from .outputs import fail, write_file

_NAMES = """\
original: paths as in the model's folder; plain: no folders; hashed: with a hash of the content, to
avoid clashes between models (default: original)."""
_TAKEN = FileExistsError(0, 'already exists; --force replaces it')
_CLEAR = '\r\033[K'


@command('robot.xml -o robot.zip')
@FILE
@click.option(
    '-o', 'out', metavar='OUT', required=True, type=click.Path(), help='A folder or a zip file.'
)
@click.option(
    '--names', type=click.Choice(['original', 'plain', 'hashed']), default='original', help=_NAMES
)
@click.option('--force', is_flag=True, help='Replace existing files.')
def export(file: str, out: str, names: FileNames, force: bool) -> int:
    """Write a model with all its files.

    The model, its meshes, textures and other files go to a folder, or to a zip file if OUT ends
    with .zip. Included files become part of the model; comments are dropped. Files keep their
    names and folders, unless they are outside the model's folder or --names changes them.

    Exit code: 0 the model was written; 2 it could not be written.
    """
    target = Path(out) if is_zip(out) else Path(out, _xml_name(file))
    if target.exists() and not force:
        return fail(str(target), _TAKEN)
    try:
        contents = _contents(file, out, names, target)
    except (OSError, ValueError) as error:
        return fail(file, error)
    taken = [] if force else [each for each in contents if _has_other(each, contents[each])]
    if taken:
        return fail(str(taken[0]), _TAKEN)
    return next(filter(None, (_write(path, content) for path, content in contents.items())), 0)


def _contents(file: str, out: str, names: FileNames, target: Path) -> dict[Path, bytes]:
    """Returns the contents to write: one zip file, or the XML and all other files."""
    model = open_input(file).model()
    _read_assets(model, names)
    files = get_files(model, f'{target.stem}.xml', filenames=names)
    if is_zip(out):
        return {target: zipped(files, target.stem)}
    return {Path(out, name): content for name, content in files.items()}


def _has_other(path: Path, content: bytes) -> bool:
    """Returns whether the path has a different file, which would be lost."""
    return path.is_file() and path.read_bytes() != content


def _write(path: Path, content: bytes) -> int:
    """Writes a file, and returns the exit status."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(str(path), content)
    except OSError as error:
        return fail(str(path), error)
    return 0


def _xml_name(file: str) -> str:
    return 'model.xml' if file == STDIN else f'{Path(file).stem}.xml'


def _read_assets(model: Any, filenames: FileNames) -> None:
    """Reads a model's files into memory, and shows the progress. Raises OSError."""
    terminal = sys.stderr.isatty()
    form = Form(filenames=filenames, prefix_root=model)
    for number, asset in enumerate(assets_of(model, form), 1):
        if terminal:
            sys.stderr.write(f'{_CLEAR}{number} {asset.original_name()}')
            sys.stderr.flush()
        asset.to_bytes()
    if terminal:
        sys.stderr.write(_CLEAR)
