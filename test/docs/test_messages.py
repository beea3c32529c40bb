"""The source contains all messages that the pages quote."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from .pages import ROOT, blocks, tables

pytestmark = pytest.mark.slow

DOCS = ROOT / 'docs'
LETTERS = 10
"""The minimum number of constant characters: a text with fewer would match nearly all messages."""
_FORMAT = re.compile(r'%[-\d.]*[a-z]')
"""Matches the placeholders that logging fills in."""

_TROUBLES = DOCS / 'how-to/troubleshooting.md'
errors = [line for block in blocks('text', page=_TROUBLES) for line in block.text.splitlines()]
errors += [row[0].replace('`, `', '…') for row in tables(_TROUBLES, 'message')]


def parts(message: str) -> list[str]:
    """Returns the parts of a quoted message between its ellipses."""
    found = (part.strip(' :()') for part in message.split('…'))
    return [part for part in found if re.search('[a-z]{3}', part)]


@cache
def texts() -> list[list[str]]:
    """Returns the constant pieces of each text in the source."""
    trees = (ast.parse(path.read_text()) for path in (ROOT / 'mujoco_ros_py').rglob('*.py'))
    nodes = (node for tree in trees for node in ast.walk(tree))
    found = (pieces(node) for node in nodes if isinstance(node, ast.JoinedStr | ast.Constant))
    return [text for text in found if len(re.findall('[a-z]', ''.join(text))) >= LETTERS]


@cache
def all_pieces() -> str:
    """Returns all pieces of `texts` in one text, which is fast to search."""
    return '\0'.join(piece for text in texts() for piece in text)


def is_said(part: str, text: list[str]) -> bool:
    """Returns whether a text of the source, with its placeholders filled in, can give this
    part."""
    return (
        len(text) > 1
        and part.startswith(text[0])
        and re.fullmatch('.*'.join(map(re.escape, text)), part, re.DOTALL) is not None
    )


def pieces(node: ast.JoinedStr | ast.Constant) -> list[str]:
    """Returns the constant pieces of a string, which placeholders separate."""
    values = node.values if isinstance(node, ast.JoinedStr) else [node]
    constant = (str(value.value) if isinstance(value, ast.Constant) else '%s' for value in values)
    return _FORMAT.split(''.join(constant))


@pytest.mark.parametrize('message', errors)
def test_each_message_that_is_quoted_is_one_of_the_source(message):
    for part in parts(message):
        assert part in all_pieces() or any(is_said(part, text) for text in texts()), part
