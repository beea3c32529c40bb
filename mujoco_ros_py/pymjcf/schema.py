"""The MJCF schema of the installed MuJoCo, under PyMJCF's names."""

from ..mjcf.schema import AttributeSpec, ElementSpec, root
from ..mjcf.schema.namespaces import FRAME, namespaces

MUJOCO = root()
FINDABLE_NAMESPACES = frozenset([*namespaces(), FRAME])

__all__ = ['FINDABLE_NAMESPACES', 'MUJOCO', 'AttributeSpec', 'ElementSpec']
