"""The command `schema`, which prints an XML schema of MJCF for editors."""

from __future__ import annotations

from .arguments import OUTPUT, command
from .outputs import write


@command('-o mjcf.xsd')
@OUTPUT
def schema(out: str | None) -> int:
    """Print an XML schema of MJCF for editors.

    The schema (XSD) is that of the MJCF that the installed MuJoCo takes. Editors complete and
    check files with it.
    """
    from ..xsd import schema_xsd  # the other commands do not need it

    return write(schema_xsd().encode(), out)
