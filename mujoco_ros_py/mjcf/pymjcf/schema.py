"""The MJCF schema of the installed MuJoCo, under PyMJCF's names."""

from ..schema import AttributeSpec, ElementSpec, root
from ..schema.namespaces import FRAME, namespaces

MUJOCO = root()
FINDABLE_NAMESPACES = frozenset([*namespaces(), FRAME])

__all__ = ['FINDABLE_NAMESPACES', 'MUJOCO', 'AttributeSpec', 'ElementSpec']
