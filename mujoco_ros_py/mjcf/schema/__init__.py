"""The schema of MJCF: the elements and attributes that the installed MuJoCo accepts."""

from .installed import SchemaWarning, root
from .specs import AttributeSpec, ElementSpec, Kind

__all__ = ['AttributeSpec', 'ElementSpec', 'Kind', 'SchemaWarning', 'root']
