"""Placeholders that a reader opens in place of an element where it makes none."""

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
"""The tags that MuJoCo accepts and ignores directly in <mujoco>, where files that are meant to be
included have them."""


class _InInclude:
    """The placeholder between the tags of an include, where no element is allowed."""

    _source = None
    _types: Mapping[str, Any] = {}

    def _no_child(self, tag: str) -> str:
        return f'no <{tag}> may be in <{INCLUDE}>'


IN_INCLUDE: Any = _InInclude()
