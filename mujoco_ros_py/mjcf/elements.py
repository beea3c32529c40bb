"""The class of each element of the installed MuJoCo's MJCF, for isinstance and annotations.

Its name is that of the tag, `elements.Geom`, and with what it is in before it, where there are
others, `elements.DefaultGeom`. `elements.AnyJoint` is Joint or Freejoint, and so on.
"""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Any

from .attachment import AttachmentFrame
from .root import RootElement
from .schema.classes import ROOT, unions
from .types import CLASSES, element_type


@cache
def _classes() -> dict[str, Any]:
    found: dict[str, Any] = {name: element_type(spec) for name, spec in CLASSES.items()}
    found |= {ROOT: RootElement, 'AttachmentFrame': AttachmentFrame}
    together = unions(CLASSES).items()
    return found | {name: reduce(or_, map(found.get, classes)) for name, classes in together}


def __getattr__(name: str) -> Any:
    if name in _classes():
        return _classes()[name]
    raise AttributeError(f'no element has a class {name!r}; known: those in dir({__name__})')


def __dir__() -> list[str]:
    return sorted(_classes())
