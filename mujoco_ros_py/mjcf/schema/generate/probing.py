"""Finds out which input MuJoCo's parser accepts, from its errors for invalid values."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

import mujoco

MANY = 64

ProbedKind = Literal['int', 'real', 'keyword']

_MISSING = re.compile(r"required attribute missing: '(\w+)'\s+Element '\w+', line (\d+)")


class Probe:
    """Parses small models, each a chain of nested elements, and examines the parser's errors.

    Required attributes get the values in `values`; `along` maps paths to further attributes that
    the parser needs.
    """

    def __init__(self, values: Mapping[str, str], along: Mapping[str, Mapping[str, str]]) -> None:
        self.values = values
        self.along = along

    def error(self, path: str, attributes: Mapping[str, str]) -> str:
        """Returns the parser's error for the element at a path; empty if the parser accepts it."""
        return self._try(path, attributes)[0]

    def required(self, path: str) -> set[str]:
        """Returns the attributes that the parser requires on the element."""
        return set(self._try(path, {})[1]) - set(self.along.get(path, ()))

    def _try(self, path: str, attributes: Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
        """Returns the error, and the element's attributes including the required ones."""
        chain = [(tag, dict[str, str]()) for tag in _place(path).split('/')]
        chain[-1][1].update({**self.along.get(path, {}), **attributes})
        while True:
            error = _parse(_xml(chain))
            missing = _MISSING.search(error)
            element = chain[int(missing[2]) - 2][1] if missing else {}
            if not missing or missing[1] in element:
                return error, chain[-1][1]
            element[missing[1]] = self._value(missing[1])

    def _value(self, name: str) -> str:
        return self.values.get(name, 'x')

    def kind(self, path: str, name: str) -> ProbedKind | None:
        """Returns what the parser accepts as an attribute's value; None if it accepts any text."""
        error = self.error(path, {name: 'a-word'})
        if 'invalid keyword: ' in error:
            return 'keyword'
        if not _is_no_number(error, name):
            return None
        return 'int' if _is_no_number(self.error(path, {name: '1.5'}), name) else 'real'

    def lengths(self, path: str, name: str, most: int) -> tuple[int, int | None]:
        """Returns the minimum and maximum count of values, after trying 1 to `most` + 1."""
        taken = [n for n in (*range(1, most + 2), MANY) if self._takes(path, name, n)]
        return (taken[0], None if taken[-1] == MANY else taken[-1]) if taken else (0, None)

    def _takes(self, path: str, name: str, count: int) -> bool:
        error = self.error(path, {name: ' '.join(['1'] * count)})
        return not re.search(f"attribute '{name}' (has too much|does not have enough) data", error)

    def refuses(self, path: str, name: str, word: str) -> bool:
        """Returns whether the parser rejects a word as a keyword of the attribute."""
        error = self.error(path, {name: word})
        unknown = (f"invalid keyword: '{word}'", "invalid keyword: '(null)'")
        return any(text in error for text in unknown) or _is_no_number(error, name)


def _is_no_number(error: str, name: str) -> bool:
    return bool(re.search(f"(bad format in|problem reading) attribute '{name}'", error))


def _place(path: str) -> str:
    """Converts a path in the schema to a path in a model: bodies must be in the worldbody."""
    if path.startswith('body'):
        return f'worldbody/{path}'
    return f'worldbody/body/{path}' if path in ('frame', 'replicate') else path


def _xml(chain: Sequence[tuple[str, Mapping[str, str]]]) -> str:
    """Returns a model with one element per line: the line in an error then shows the element."""
    lines = ['<mujoco>']
    for tag, attributes in chain:
        lines.append(f'<{tag}' + ''.join(f' {k}="{v}"' for k, v in attributes.items()) + '>')
    return '\n'.join(lines) + ''.join(f'</{tag}>' for tag, _ in reversed(chain)) + '</mujoco>'


def _parse(xml: str) -> str:
    try:
        mujoco.MjSpec.from_string(xml)
    except (ValueError, RuntimeError) as error:
        return str(error)
    return ''
