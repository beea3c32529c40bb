"""The messages that docs/troubleshooting.md quotes are messages of the source."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from .pages import ROOT, blocks

PAGE = ROOT / 'docs' / 'troubleshooting.md'
LETTERS = 10
"""A text of the source with fewer of its own would match nearly every message."""
_FORMAT = re.compile(r'%[-\d.]*[a-z]')
"""What the log fills in."""

messages = [line for block in blocks('text', page=PAGE) for line in block.text.splitlines()]


def parts(message: str) -> list[str]:
    """What stands between the marks of what is left out."""
    found = (part.strip(' :()') for part in message.split('…'))
    return [part for part in found if re.search('[a-z]{3}', part)]


@cache
def templates() -> list[re.Pattern[str]]:
    """Each text of the source, in which the parts that are filled in match anything."""
    trees = (ast.parse(path.read_text()) for path in (ROOT / 'mujoco_ros_py').rglob('*.py'))
    nodes = (node for tree in trees for node in ast.walk(tree))
    texts = (pieces(node) for node in nodes if isinstance(node, ast.JoinedStr | ast.Constant))
    return [
        re.compile('.*'.join(map(re.escape, text)), re.DOTALL)
        for text in texts
        if len(re.findall('[a-z]', ''.join(text))) >= LETTERS
    ]


def pieces(node: ast.JoinedStr | ast.Constant) -> list[str]:
    """The constant pieces of a string; between two of them something is filled in."""
    values = node.values if isinstance(node, ast.JoinedStr) else [node]
    constant = (str(value.value) if isinstance(value, ast.Constant) else '%s' for value in values)
    return _FORMAT.split(''.join(constant))


def test_the_page_quotes_messages():
    assert len(messages) > 25


@pytest.mark.parametrize('message', messages)
def test_each_message_that_is_quoted_is_one_of_the_source(message):
    said = [template.pattern for template in templates()]
    for part in parts(message):
        words = re.escape(part)
        assert any(
            words in pattern or template.fullmatch(part)
            for template, pattern in zip(templates(), said, strict=True)
        ), part
