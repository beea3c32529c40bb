"""Definitions of messages as text, made from the Python classes of their types."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from ...recording import MessageType

_LINE = '=' * 80
_SEQUENCE = re.compile(r'sequence<(?P<of>.+?)(?:, (?P<most>\d+))?>')
_ARRAY = re.compile(r'(?P<of>.+)\[(?P<count>\d+)\]')
_TEXT = re.compile(r'(?P<of>w?string)<(?P<most>\d+)>')
_WORDS = {'double': 'float64', 'float': 'float32', 'boolean': 'bool', 'octet': 'byte'}


def message_type(name: str, kind: type[Any]) -> MessageType:
    """Returns the type with its definition, followed by those of the messages inside of it.

    `name` is that of the type, such as `sensor_msgs/msg/JointState`, and `kind` its class.
    Constants and default values are left out, as serialized messages do not depend on them.
    """
    definitions: dict[str, str] = {}
    own = _definition(kind, definitions)
    others = (f'{_LINE}\nMSG: {inner}\n{text}' for inner, text in definitions.items())
    return MessageType(name=name, definition=''.join([own, *others]))


def _definition(kind: type[Any], definitions: dict[str, str]) -> str:
    lines = []
    for field, written in kind.get_fields_and_field_types().items():
        text, inner = _field(written)
        lines.append(f'{text} {field}\n')
        if '/' in inner and inner not in definitions:
            package, name = inner.split('/')
            definitions[inner] = ''  # so that it comes once, before those inside of it
            definitions[inner] = _definition(
                getattr(import_module(f'{package}.msg'), name), definitions
            )
    return ''.join(lines)


def _field(written: str) -> tuple[str, str]:
    """Returns a type as definitions have it, and the type of its elements."""
    if found := _ARRAY.fullmatch(written):
        text, inner = _field(found['of'])
        return f'{text}[{found["count"]}]', inner
    if found := _SEQUENCE.fullmatch(written):
        text, inner = _field(found['of'])
        most = f'<={found["most"]}' if found['most'] else ''
        return f'{text}[{most}]', inner
    if found := _TEXT.fullmatch(written):
        return f'{found["of"]}<={found["most"]}', found['of']
    word = _WORDS.get(written, written)
    return word, word
