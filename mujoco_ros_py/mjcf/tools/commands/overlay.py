"""The `overlay` command: applies an overlay to a model."""

from __future__ import annotations

from os.path import dirname

import click

from ....errors import MjcfError
from ...compose.overlay import apply_overlay
from ...compose.relocation import relocate
from ...sources.saving import to_bytes
from .arguments import FILE, OUTPUT, ModelFile, command
from .inputs import is_zip, open_input
from .outputs import fail, write


@command('robot.xml twin/overlay.xml -o calibrated.xml')
@FILE
@click.argument('overlay', type=ModelFile())
@OUTPUT
def overlay(file: str, overlay: str, out: str | None) -> int:
    """Set the attributes of an overlay in a model.

    Prints the model, with its includes replaced by their contents; the rest of the text stays
    unchanged. `identify` writes overlays. Elements are found by kind and name.

    Exit code: 0 the model was written; 2 it could not be written.
    """
    try:
        if is_zip(file):
            raise MjcfError('overlay cannot write a zip; unpack it first')
        model = open_input(file).model()
    except (OSError, MjcfError) as error:
        return fail(file, error)
    try:
        apply_overlay(model, open_input(overlay).model())
    except (OSError, ValueError) as error:
        return fail(overlay, error)
    if out is not None:
        relocate(model, dirname(out))
    return write(to_bytes(model), out)
