"""ROS parameter files: detection, node names, and strings quoted as ROS requires."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from ..errors import ConfigError
from .yaml_text import load_yaml

_KEY = 'ros__parameters'
_EVERY_NODE = re.compile(r'^["\']?/\*\*["\']?:', re.MULTILINE)
_WILDCARDS = {'*': r'/\w+', '**': r'(/\w+)*'}
"""The wildcards in node names, and their regular expressions."""


def quoted(text: str) -> str:
    """Returns a string in quotes, because ROS reads digits as a number: `-p name:='0815'`."""
    return "'" + text.replace("'", "''") + "'"


def holds_parameters(path: str | Path) -> bool:
    """Returns whether a YAML file is a ROS parameter file. Raises ConfigError if unreadable."""
    return f'{_KEY}:' in _text(path)


def parameter_file_text(parameters: Mapping[str, object]) -> str:
    """Returns a parameter file for every node, with quoted strings: ROS reads 0815 as a number."""
    return yaml.dump({'/**': {_KEY: dict(parameters)}}, Dumper=_QuotingDumper)


def foreign_nodes(path: str | Path, node: str) -> list[str]:
    """Returns the nodes that a parameter file is meant for; empty if `node` is one of them.

    `node` is a full node name. The result is also empty for a file that ROS cannot read.
    """
    text = _text(path)
    if _EVERY_NODE.search(text):  # most files match, and need not be parsed
        return []
    try:
        found = list(_nodes(load_yaml(text, str(path))))
    except ConfigError:
        return []
    return [] if any(_is_for(node, each) for each in found) else found


def _text(path: str | Path) -> str:
    try:
        return Path(path).expanduser().read_text(encoding='utf-8', errors='replace')
    except OSError as error:
        raise ConfigError(f'{path} cannot be read: {error.strerror}') from None


def _nodes(values: object, name: str = '') -> Iterator[str]:
    """Yields the names, or name patterns, of the nodes in a parameter file."""
    if not isinstance(values, Mapping):
        return
    for key, inner in values.items():
        if key == _KEY:
            yield name
        else:
            yield from _nodes(inner, f'{name}/{str(key).strip("/")}')


def _is_for(node: str, pattern: str) -> bool:
    parts = (_WILDCARDS.get(part, f'/{re.escape(part)}') for part in pattern.split('/')[1:])
    return re.fullmatch(''.join(parts), node) is not None


class _QuotingDumper(yaml.SafeDumper):
    """A dumper that quotes every string."""


_QuotingDumper.add_representer(
    str, lambda dumper, text: dumper.represent_scalar('tag:yaml.org,2002:str', text, style='"')
)
