"""Writes the schema of the installed MuJoCo's MJCF as an XSD, for editors and validators."""

from .document import schema_xsd

__all__ = ['schema_xsd']
