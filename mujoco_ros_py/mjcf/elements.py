"""The element classes of the installed MuJoCo's MJCF, for isinstance checks and annotations.

Classes are named after tags, as in `elements.Geom`. If several elements share a tag, the parent's
name comes first, as in `elements.DefaultGeom`. Unions start with Any: `elements.AnyJoint` is Joint
or Freejoint.
"""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Any

from .compose.attachment import AttachmentFrame
from .compose.root import RootElement
from .schema import root
from .schema.class_names import FRAME, ROOT, class_names, unions
from .tree.kinds import element_type


@cache
def _classes() -> dict[str, Any]:
    names = class_names(root())
    found: dict[str, Any] = {ROOT: RootElement, FRAME: AttachmentFrame}
    for name, spec in names.items():
        if name not in found:
            found[name] = kind = element_type(spec)
            kind.__name__ = kind.__qualname__ = name  # not earlier: imports stay fast
            kind.__module__ = __name__
    together = unions(names).items()
    return found | {name: reduce(or_, map(found.get, classes)) for name, classes in together}


def __getattr__(name: str) -> Any:
    if name in _classes():
        return _classes()[name]
    raise AttributeError(f'unknown element class {name!r}; known: dir({__name__})')


def __dir__() -> list[str]:
    return sorted(_classes())
