"""Parameter files of ROS: whether a file is one, for which nodes, and texts as ROS reads them."""

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
"""The patterns of node names, and the regular expressions that match the same."""


def quoted(text: str) -> str:
    """Returns a text in quotes, as ROS would take digits for a number: `-p name:='0815'`."""
    return "'" + text.replace("'", "''") + "'"


def holds_parameters(path: str | Path) -> bool:
    """Returns whether a YAML file is a parameter file of ROS. Raises ConfigError if it is gone."""
    return f'{_KEY}:' in _text(path)


def parameter_file_text(parameters: Mapping[str, object]) -> str:
    """Returns a parameter file for every node; texts are in quotes, as 0815 is a number to ROS."""
    return yaml.dump({'/**': {_KEY: dict(parameters)}}, Dumper=_QuotingDumper)


def foreign_nodes(path: str | Path, node: str) -> list[str]:
    """Returns the nodes that a parameter file is for; an empty list if `node` is among them.

    `node` is the full name of a node. A file that ROS cannot read either is for nobody.
    """
    text = _text(path)
    if _EVERY_NODE.search(text):  # most files, which need not be parsed for this
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
    """Yields the names, or patterns of names, of the nodes in a parameter file."""
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
    """A dumper that writes every text in quotes."""


_QuotingDumper.add_representer(
    str, lambda dumper, text: dumper.represent_scalar('tag:yaml.org,2002:str', text, style='"')
)
