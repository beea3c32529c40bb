"""The command `flatten`, which writes a model with its includes as one file."""

from __future__ import annotations

from os.path import dirname

from ....errors import MjcfError
from ...files.relocation import relocate
from ...sources.saving import to_bytes
from .arguments import FILE, OUTPUT, command
from .inputs import is_zip, open_input
from .outputs import fail, write


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
        relocate(model, dirname(out))
    return write(to_bytes(model), out)
