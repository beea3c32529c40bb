"""Reads untrusted YAML strictly, with limits on size and depth; errors include the location."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from ..errors import ConfigError
from .small_files import read_small_file
from .wording import kind

MAX_BYTES = 256 * 1024
"""The maximum size: parsing takes about 10 us per byte, so a larger text would delay a reload by
many seconds."""

_MAX_DEPTH = 32
_FLOAT = 'tag:yaml.org,2002:float'
_TIMESTAMP = 'tag:yaml.org,2002:timestamp'
_EXPONENT = re.compile(r'[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$')
_NUMBERS = re.compile(r'[-+.\d][-+.\deE]*(\s+[-+.\d][-+.\deE]*)+')
_SIGN = re.compile(r"""'([^\w\s'"\\]|<[a-z ]+>)'""")
"""Matches a quoted YAML sign, or the quoted kind of a token, in PyYAML's messages."""
_QUOTE = re.compile(r"""['"]""")
_VALUE_LINE = re.compile(r'(?P<indent>[ ]*(?:-[ ]+)*)(?P<key>[^\s:#]+):[ ]+[^\s#]')


def read_yaml_struct(path: Path) -> dict[str, Any]:
    """Reads a YAML file that must contain a struct. Raises ConfigError with the violated rule."""
    struct = read_yaml_file(path)
    if not isinstance(struct, Mapping):
        raise ConfigError(f'{path} must be a struct, got {kind(struct)}')
    return {str(key): value for key, value in struct.items()}


def read_yaml_file(path: Path, *, quoted: bool = True) -> Any:
    """Reads a YAML file, as `load_yaml` reads a text. Raises ConfigError."""
    content = read_small_file(path, MAX_BYTES, ConfigError)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f'{path}: must be UTF-8 text, byte {error.start} is not') from None
    return load_yaml(text, str(path), quoted=quoted)


def load_yaml(text: str, where: str, *, quoted: bool = True) -> Any:
    """Returns the only document in `text`. Raises ConfigError with line and column.

    In addition to YAML's own rules, it refuses aliases, tags, repeated keys, and lists without
    commas such as ``[1 2 3]``. As in ROS and unlike plain PyYAML, ``1e-3`` is a number and a date
    is a string. Unless `quoted`, errors contain the rule and the location, but no part of the
    text.
    """
    if len(text) > MAX_BYTES:
        raise ConfigError(f'{where} must have at most {MAX_BYTES} bytes')
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        raise ConfigError(_message(error, text, where, quoted)) from (error if quoted else None)
    except (yaml.YAMLError, ValueError) as error:  # invalid characters, 5000-digit numbers
        if not quoted:
            raise ConfigError(f'{where}: contains an invalid character or number') from None
        raise ConfigError(f'{where}: {" ".join(str(error).split())}') from error


class _Loader(yaml.SafeLoader):
    """A SafeLoader that refuses ambiguous, misleading and exponentially growing YAML."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            _refuse('aliases (*name) are not accepted', event)
        if getattr(event, 'tag', None) is not None:
            _refuse(f'tags ({event.tag}) are not accepted', event, 'tags are not accepted')
        if self.depth == _MAX_DEPTH:
            _refuse(f'at most {_MAX_DEPTH} levels are accepted', event)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(node, yaml.SequenceNode):
            _check_commas(node)
        elif isinstance(node, yaml.MappingNode):
            _check_keys(node)
        return node


_Loader.add_implicit_resolver(_FLOAT, _EXPONENT, list('-+.0123456789'))
_Loader.yaml_implicit_resolvers = {
    first: [rule for rule in rules if rule[0] != _TIMESTAMP]
    for first, rules in _Loader.yaml_implicit_resolvers.items()
}


def _refuse(rule: str, at: Any, without_quotes: str = '') -> None:
    """Raises the error for a rule, located at the start of an event or a node."""
    note = without_quotes or rule
    raise yaml.MarkedYAMLError(problem=rule, problem_mark=at.start_mark, note=note)


def _check_commas(node: yaml.SequenceNode) -> None:
    for item in node.value:
        plain = isinstance(item, yaml.ScalarNode) and item.style is None
        if node.flow_style and plain and _NUMBERS.fullmatch(item.value):
            commas = ', '.join(item.value.split())
            rule = f'[{item.value}] lacks commas: write [{commas}], or quotes for a string'
            _refuse(rule, item, 'a list lacks commas between its items')


def _check_keys(node: yaml.MappingNode) -> None:
    seen = set()
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode):
            if (key.tag, key.value) in seen:
                rule = f'key {key.value!r} appears twice in one struct'
                _refuse(rule, key, 'a key appears twice in one struct')
            seen.add((key.tag, key.value))


def _message(error: yaml.MarkedYAMLError, text: str, where: str, quoted: bool) -> str:
    mark = error.problem_mark or error.context_mark
    problem = ': '.join(filter(None, (error.context, error.problem)))
    if mark is not None:
        lines = text.splitlines()[: mark.line + 1]
        problem = _indentation_mistake(error, lines, quoted) or _tab_mistake(error) or problem
        where = f'{where}, line {mark.line + 1}, column {mark.column + 1}'
    return f'{where}: {problem if quoted else error.note or _rule(problem)}'


def _rule(problem: str) -> str:
    """Returns PyYAML's message without its quotations from the text."""
    said = ''
    while found := _QUOTE.search(problem):
        said, problem = said + problem[: found.start()], problem[found.start() :]
        sign = _SIGN.match(problem)
        if sign is None:
            return f'{said}...{_QUOTE.split(problem)[-1]}'
        said, problem = said + sign[0], problem[sign.end() :]
    return said + problem


def _tab_mistake(error: yaml.MarkedYAMLError) -> str:
    is_tab = error.problem == "found character '\\t' that cannot start any token"
    return 'YAML cannot be indented with tabs: use spaces' if is_tab else ''


def _indentation_mistake(error: yaml.MarkedYAMLError, lines: list[str], quoted: bool) -> str:
    """Explains a common mistake: ``- type: a/B`` followed by keys indented deeper than `type`."""
    if error.problem != 'mapping values are not allowed here':
        return ''
    last, *before = (line for line in reversed(lines) if line.strip())
    above = _VALUE_LINE.match(before[0]) if before else None
    indent = len(last) - len(last.lstrip())
    if above is None or indent <= above.end('indent'):
        return ''
    key, column = above['key'], above.end('indent') + 1
    below, over = (repr(last.split(':')[0].strip()), repr(key)) if quoted else ('it', 'the key')
    return (
        f'{below} is indented deeper than {over} above it, which already has'
        f' a value: start all keys of a struct in the same column, here {column}'
    )
