"""Splits an XML text into tokens.

XML parsers drop the whitespace and quotes inside tags, which a formatter needs.
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
    """A part of the text as written. The kind `other` is text or an instruction."""

    kind: Kind
    text: str
    column: int
    """The column where the token starts, from 0; a tab counts as two columns."""

    @property
    def name(self) -> str:
        """The name of the tag; empty for other tokens."""
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
    """Yields the tokens of a well-formed text in order."""
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
