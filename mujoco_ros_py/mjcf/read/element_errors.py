"""Errors that tell in which file, line and element reading stopped."""

from __future__ import annotations

from typing import Any

from ...errors import MjcfError
from ..sources.parsing import error_at
from ..sources.source import Source


def error_in(
    source: Source, parser: Any, tag: str, reason: object, kind: type[MjcfError] = MjcfError
) -> MjcfError:
    """The error of the element that the parser is at."""
    told = f'error while parsing element <{tag}>: {reason}'
    return error_at(source, parser.CurrentLineNumber, told, kind)
