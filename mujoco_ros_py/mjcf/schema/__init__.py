"""What MJCF is made of: elements and attributes, as the installed MuJoCo takes them."""

from .installed import SchemaWarning, root
from .specs import AttributeSpec, ElementSpec, Kind

__all__ = ['AttributeSpec', 'ElementSpec', 'Kind', 'SchemaWarning', 'root']
