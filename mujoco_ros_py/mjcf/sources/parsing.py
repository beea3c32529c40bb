"""Parses the XML of sources. Errors include the file and the line."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.parsers import expat

from ...errors import MjcfError
from .mending import hint
from .source import Source

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType


class IllFormedError(MjcfError):
    """The XML is not well-formed; MuJoCo may still accept it."""


def parse(source: Source, parser: XMLParserType) -> None:
    """Parses a source with the parser's handlers.

    Raises MjcfError if the text is not well-formed or has a DTD.
    """

    def refuse(*of: object) -> None:
        reason = (
            'a document type is not allowed: entities can read files and fill the memory. MuJoCo'
            ' ignores it, so remove it'
        )
        raise error_at(source, parser.CurrentLineNumber, reason)

    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(source.parsed, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code).removeprefix('not well-formed ').strip('()')
        mend = hint(reason, source.parsed, parser.ErrorByteIndex)
        if mend and source.parsed is not source.content:  # repaired, as MuJoCo would
            reason = f"{reason}: {mend} (MuJoCo's own parser accepts it)"
        raise error_at(
            source, error.lineno, f'not well-formed: {reason}', IllFormedError
        ) from None
    except (LookupError, UnicodeError, ValueError) as error:
        if isinstance(error, MjcfError):
            raise
        raise error_at(source, 1, error, IllFormedError) from None  # wrong encoding


def error_at(
    source: Source, line: int, reason: object, kind: type[MjcfError] = MjcfError
) -> MjcfError:
    """Returns an error about this line of the source's file."""
    error = kind(f'{source.label}Line {line}: {reason}')
    error.path, error.line, error.reason = source.path, line, str(reason)
    return error
