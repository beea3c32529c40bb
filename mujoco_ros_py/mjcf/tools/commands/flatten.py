"""The `flatten` command: merges a model and its includes into one file."""

from __future__ import annotations

from os.path import dirname

from ....errors import MjcfError
from ...compose.relocation import relocate
from ...sources.saving import to_bytes
from .arguments import FILE, OUTPUT, command
from .inputs import is_zip, open_input
from .outputs import fail, write


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
        relocate(model, dirname(out))
    return write(to_bytes(model), out)
