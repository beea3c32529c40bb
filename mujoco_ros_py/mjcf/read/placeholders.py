"""Placeholders for elements that a reader does not create."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

INCLUDE = 'include'


class _Ignored:
    """The placeholder for an element that MuJoCo ignores."""

    _source = None
    _types: Mapping[str, Any] = {}


IGNORED: Any = _Ignored()
IGNORED_IN_MODEL = 'body', 'frame'
"""Tags that MuJoCo accepts and ignores directly in <mujoco>, because files for inclusion can
contain them."""


class _InInclude:
    """The placeholder inside an <include>, where no element is allowed."""

    _source = None
    _types: Mapping[str, Any] = {}

    def _no_child(self, tag: str) -> str:
        return f'<{tag}> is not allowed in <{INCLUDE}>'


IN_INCLUDE: Any = _InInclude()
