"""Splits an XML text into tokens.

By hand, because XML parsers drop the blanks and quotes in tags, which a formatter has to see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal['start', 'empty', 'end', 'comment', 'other', 'blank']

_TOKEN = re.compile(
    r'<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<(?:[^"\'>]|"[^"]*"|\'[^\']*\')*>|[^<]+',
    re.DOTALL,
)
_NAME = re.compile(r'</?([^\s/>]+)')
_ATTRIBUTE = re.compile(r'\s+([^\s=/>]+)\s*=\s*(?:"([^"]*)"|\'([^\']*)\')', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    """A part of the text as it is written; the kind `other` is text or an instruction."""

    kind: Kind
    text: str
    column: int
    """The column in which the token begins, from 0; a tab counts as two columns."""

    @property
    def name(self) -> str:
        """The name of the tag; empty if the token is not a tag."""
        found = _NAME.match(self.text)
        return found[1] if found else ''

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes of a start tag, with values escaped for double quotes."""
        return {
            found[1]: found[2] if found[3] is None else found[3].replace('"', '&quot;')
            for found in _ATTRIBUTE.finditer(self.text)
        }


def tokens(text: str) -> Iterator[Token]:
    """Yields the tokens of a well-formed text in their order."""
    column = 0
    for found in _TOKEN.finditer(text):
        written = found[0]
        yield Token(_kind(written), written, column)
        line = written.rpartition('\n')[2].replace('\t', '  ')
        column = len(line) if '\n' in written else column + len(line)


def _kind(written: str) -> Kind:
    if written.startswith('<!--'):
        return 'comment'
    if written.startswith('</'):
        return 'end'
    if written.startswith(('<?', '<!')):
        return 'other'
    if written.startswith('<'):
        return 'empty' if written.endswith('/>') else 'start'
    return 'other' if written.strip() else 'blank'
