"""The command `export`, which writes a model with all its files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...files.exported_files import get_files, zipped
from .arguments import FILE, add_command
from .inputs import STDIN, is_zip, open_input
from .outputs import fail, write_file
from .progress import read_assets

_DESCRIPTION = """\
Writes the model with its meshes, textures and other files to a folder, or to a zip if OUT ends
with .zip. What it includes is part of it; comments are left out. Files keep their names and
folders, unless they are outside of the model's folder or --names says otherwise.

Exit status: 0 the model was written; 2 it could not be written."""
_NAMES = """\
original: below the model's folder as they are; plain: without folders; hashed: with a hash of the
content, so that files of several models never clash (default: %(default)s)"""
_TAKEN = FileExistsError(0, 'is there already; --force replaces it')


def add_to(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = add_command(
        commands,
        'export',
        run,
        title='write a model with all its files',
        description=_DESCRIPTION,
        example='robot.xml -o robot.zip',
    )
    parser.add_argument('file', **FILE)
    parser.add_argument('-o', dest='out', metavar='OUT', required=True, help='a folder or a zip')
    parser.add_argument(
        '--names', choices=('original', 'plain', 'hashed'), default='original', help=_NAMES
    )
    parser.add_argument('--force', action='store_true', help='replace files that are there')


def run(args: argparse.Namespace) -> int:
    """Writes the folder or the zip file, and returns the exit status."""
    target = Path(args.out) if is_zip(args.out) else Path(args.out, _xml_name(args.file))
    if target.exists() and not args.force:
        return fail(str(target), _TAKEN)
    try:
        contents = _contents(args, target)
    except (OSError, ValueError) as error:
        return fail(args.file, error)
    taken = [] if args.force else [each for each in contents if _has_other(each, contents[each])]
    if taken:
        return fail(str(taken[0]), _TAKEN)
    return next(filter(None, (_write(path, content) for path, content in contents.items())), 0)


def _contents(args: argparse.Namespace, target: Path) -> dict[Path, bytes]:
    """Returns the contents to write: those of the zip file, or of the XML and all other files."""
    model = open_input(args.file).model()
    read_assets(model, args.names)
    files = get_files(model, f'{target.stem}.xml', filenames=args.names)
    if is_zip(args.out):
        return {target: zipped(files, target.stem)}
    return {Path(args.out, name): content for name, content in files.items()}


def _has_other(path: Path, content: bytes) -> bool:
    """Returns whether the path has another file, perhaps of another model, that would be lost."""
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
