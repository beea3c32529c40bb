"""`export`: a model with all its files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..files.export import export_with_assets, export_with_assets_as_zip
from .arguments import add_command
from .inputs import STDIN, is_zip, open_input
from .outputs import fail
from .progress import read_assets

_DESCRIPTION = """\
Writes the model with its meshes, textures and other files to a folder, or to a zip if OUT ends
with .zip. What it includes is part of it; comments are left out. Files keep their names and
folders, unless they are outside of the model's folder or --names says otherwise.

Exit status: 0 it is done; 2 it could not be."""
_NAMES = """\
original: below the model's folder as they are; plain: without folders; hashed: with a hash of the
content, so that files of several models never clash (default: %(default)s)"""


def add_to(commands: Any) -> None:
    """The parser of the command."""
    parser = add_command(
        commands,
        'export',
        run,
        title='write a model with all its files',
        description=_DESCRIPTION,
        example='robot.xml -o robot.zip',
    )
    parser.add_argument('file', metavar='FILE', help='- is the standard input')
    parser.add_argument('-o', dest='out', metavar='OUT', required=True, help='a folder or a zip')
    parser.add_argument(
        '--names', choices=('original', 'plain', 'hashed'), default='original', help=_NAMES
    )
    parser.add_argument('--force', action='store_true', help='replace what is there')


def run(args: argparse.Namespace) -> int:
    """Writes the folder or the zip."""
    out = Path(args.out)
    name = _xml_name(args.file)
    target = out if is_zip(args.out) else out / name
    if target.exists() and not args.force:
        return fail(str(target), FileExistsError(0, 'is there already; --force replaces it'))
    try:
        model = open_input(args.file).model()
        read_assets(model, args.names)
        if is_zip(args.out):
            export_with_assets_as_zip(model, out.parent, out.stem, filenames=args.names)
        else:
            export_with_assets(model, out, name, filenames=args.names)
    except (OSError, ValueError) as error:
        return fail(args.file, error)
    return 0


def _xml_name(file: str) -> str:
    return 'model.xml' if file == STDIN else f'{Path(file).stem}.xml'
