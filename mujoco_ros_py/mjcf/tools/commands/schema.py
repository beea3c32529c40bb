"""The `schema` command: prints an XML schema of MJCF for editors."""

from __future__ import annotations

from .arguments import OUTPUT, command
from .outputs import write


@command('-o mjcf.xsd')
@OUTPUT
def schema(out: str | None) -> int:
    """Print an XML schema of MJCF for editors.

    The schema (XSD) describes the MJCF of the installed MuJoCo. Editors use it to complete and
    check files.
    """
    from ..xsd import schema_xsd  # slow, and not needed by other commands

    return write(schema_xsd().encode(), out)
