"""What a reader has open, in the place of an element, where it makes no elements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

INCLUDE = 'include'


class _Ignored:
    """What is open in an element that MuJoCo ignores."""

    _source = None
    _types: Mapping[str, Any] = {}


IGNORED: Any = _Ignored()
IGNORED_IN_MODEL = 'body', 'frame'
"""MuJoCo's parser takes these in <mujoco>, as files that are to be included have them, and makes
nothing of them."""


class _InInclude:
    """What is open between the tags of an include, where no element may be."""

    _source = None
    _types: Mapping[str, Any] = {}

    def _no_child(self, tag: str) -> str:
        return f'no <{tag}> may be in <{INCLUDE}>'


IN_INCLUDE: Any = _InInclude()
