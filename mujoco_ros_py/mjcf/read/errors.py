"""Creates errors with the file, line and element where reading stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import MjcfError
from ..sources.parsing import error_at
from ..sources.source import Source

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType


def error_in(
    source: Source,
    parser: XMLParserType,
    tag: str,
    reason: object,
    kind: type[MjcfError] = MjcfError,
) -> MjcfError:
    """Returns the error for the parser's current element."""
    told = f'error while parsing element <{tag}>: {reason}'
    return error_at(source, parser.CurrentLineNumber, told, kind)
