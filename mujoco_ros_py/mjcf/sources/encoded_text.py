"""The bytes of a source as text, with encoding, lines and indentation."""

from __future__ import annotations

import re
from functools import cached_property

_BLANKS = b' \t'
_MARK = b'\xef\xbb\xbf'
_DECLARED = re.compile(rb'\s*<\?xml\s[^>]*?encoding\s*=\s*["\']([^"\']*)')
_WIDE = {
    b'\xff\xfe': 'utf-16-le', b'<\0': 'utf-16-le', b'\xfe\xff': 'utf-16-be', b'\0<': 'utf-16-be',
}  # fmt: skip
_NAME = re.compile(rb'<([^\s/>]+)')
_BLANK = re.compile(rb'[ \t]*')
_LINE_END = re.compile(rb'\r?\n|\Z')
_REST = re.compile(rb'(?:[ \t]*<!--(?:(?!-->)[^\n])*-->)*[ \t]*(?=\r?\n|\Z)')
"""Matches the comments at the end of a line, which belong to the preceding element."""
_INDENTED = re.compile(rb'\n([ \t]+)<')


class Text:
    """The text of a source. Offsets count code units: bytes, or two bytes in UTF-16."""

    def __init__(self, content: bytes, encoding: str | None) -> None:
        self._content = content
        self.encoding = encoding or encoding_of(content)
        self.width = 2 if self.encoding.startswith('utf-16-') else 1

    @cached_property
    def ascii(self) -> bytes:
        """The text with one byte per code unit; valid only for ASCII characters."""
        if self.width == 1:
            return self._content
        big = self.encoding.endswith('be')
        high, low = self._content[not big :: 2], self._content[big::2]
        return bytes(63 if a else b for a, b in zip(high, low, strict=True))

    def decoded(self, start: int, stop: int) -> str:
        """Returns the text between two offsets."""
        return self._content[start * self.width : stop * self.width].decode(self.encoding)

    def name(self, offset: int) -> str:
        """Returns the name of the tag at an offset."""
        found = _NAME.match(self.ascii, offset)
        return found[1].decode() if found else ''

    @cached_property
    def newline(self) -> str:
        """The line break of the first line."""
        end = self.ascii.find(b'\n')
        return '\r\n' if end > 0 and self.ascii[end - 1 : end] == b'\r' else '\n'

    @cached_property
    def unit(self) -> str:
        """The whitespace of one indentation level."""
        found = _INDENTED.search(self.ascii)
        return found[1].decode() if found else '  '

    def line_start(self, offset: int) -> int:
        """Returns the start of the line that contains an offset."""
        return self.ascii.rfind(b'\n', 0, offset) + 1

    def indent(self, offset: int) -> str:
        """Returns the indentation of the line that contains an offset."""
        found = _BLANK.match(self.ascii, self.line_start(offset))
        return found[0].decode() if found else ''

    def begins_line(self, offset: int) -> bool:
        """Returns whether only whitespace precedes an offset in its line."""
        return not self.ascii[self.line_start(offset) : offset].strip(_BLANKS)

    def rest(self, offset: int) -> int | None:
        """Returns the end of an offset's line if only comments and whitespace follow, or None."""
        found = _REST.match(self.ascii, offset)
        return found.end() if found else None

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Returns the range to remove with a part of the text.

        It covers whole lines if they contain nothing else, and otherwise only adjacent blanks.
        """
        blanks = _BLANK.match(self.ascii, stop)
        after = blanks.end() if blanks else stop
        line = self.line_start(start)
        before = line + len(self.ascii[line:start].rstrip(_BLANKS))
        if before > line:
            return before, stop
        end = _LINE_END.match(self.ascii, after)
        return (line, end.end()) if end else (start, after)


def decoded(content: bytes, encoding: str) -> str:
    """Decodes a file; keeps UTF-8's byte order mark as U+FEFF, whatever the encoding."""
    marked = content.startswith(_MARK)
    return '\ufeff' * marked + content.removeprefix(_MARK).decode(encoding)


def encoding_of(content: bytes) -> str:
    """Returns the encoding indicated by the first bytes of a file."""
    if wide := _WIDE.get(content[:2]):
        return wide
    declared = _DECLARED.match(content.removeprefix(_MARK))
    return declared[1].decode('ascii', 'replace').lower() if declared else 'utf-8'
