"""Repairs ill-formed XML that MuJoCo's own parser accepts."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    rb'<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!.*?>'
    rb'|<(?:[^<>"\']|"[^"]*"|\'[^\']*\')*>',
    re.DOTALL,
)
_PRINTED = re.compile(rb'[^\r\n\t]')
_DECLARATION = re.compile(
    rb'<\?xml\s+version\s*=[^?]*?(?:encoding\s*=\s*["\']([\w-]+)["\'][^?]*)?\?>'
)
_ENCODINGS = b'utf-8', b'iso-8859-1'
_END_TAG = re.compile(rb'(</[^\s>]*)([^>]*)>')
_AMPERSAND = re.compile(rb'&[^;<>"\']*$')


def mended(content: bytes) -> bytes:
    """Blanks out parts that MuJoCo ignores and XML forbids; the length stays the same.

    These are text before the root and between tags, further roots, comments, misplaced
    declarations, and attributes of end tags.
    """
    end = content.find(b'\0')
    content = content if end < 0 else content[:end] + b' ' * (len(content) - end)
    pieces, done, depth, closed = [], 0, 0, False
    for found in _TOKEN.finditer(content):
        token, between = found[0], content[done : found.start()]
        pieces.append(between if closed else _blank(between))
        done = found.end()
        pieces.append(_blank(token) if closed else _kept(token, found.start(), depth))
        if not token.startswith((b'<!', b'<?')):
            depth += -1 if token.startswith(b'</') else not token.endswith(b'/>')
            closed = closed or depth <= 0
    return b''.join([*pieces, content[done:]])


def _kept(token: bytes, place: int, depth: int) -> bytes:
    if token.startswith(b'<?'):
        declared = _DECLARATION.fullmatch(token)
        encoding = (declared and declared[1]) or b'utf-8'
        known = declared is not None and encoding.lower() in _ENCODINGS
        return token if depth or (place == 0 and known) else _blank(token)
    if token.startswith(b'<!') and not token.startswith(b'<!DOCTYPE'):
        return _blank(token)
    end_tag = _END_TAG.fullmatch(token)
    return end_tag[1] + _blank(end_tag[2]) + b'>' if end_tag else token


def _blank(text: bytes) -> bytes:
    return _PRINTED.sub(b' ', text)


def hint(reason: str, content: bytes, place: int) -> str:
    """Returns a hint on how to fix an XML parser's error; empty if the cause is unknown."""
    here = content[place : place + 1]
    if 'character number' in reason or (here.isascii() and not here.isspace() and here < b' '):
        return 'control characters are not allowed in XML'
    if 'entity' in reason or _AMPERSAND.search(content[:place]) or here == b'&':
        return 'write & in a value as &amp;'
    if here == b'<':
        return 'write < in a value as &lt;'
    if content[:place].endswith((b'"', b"'")):
        return 'separate attributes with a blank'
    return ''
