"""Arranges tokens on lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import isfinite

from ...schema import ElementSpec, root
from .tokens import Token

UNIT = '  '
"""The whitespace of one indentation level."""
WIDTH = 100
"""The maximum number of columns before a tag continues on another line."""
_Numbers = dict[str, bool]
"""The attributes with numbers; the value is true for integers."""
_INCLUDE = 'include'


def laid_out(all_tokens: Sequence[Token]) -> str:
    """Returns the formatted text, including the final line break."""
    layout = _Layout(_spec_of_root(all_tokens))
    for token in all_tokens:
        layout.put(token)
    return f'{layout.text}\n'


class _Layout:
    def __init__(self, root: ElementSpec | None) -> None:
        self._pieces: list[str] = []
        self._column = 0
        self._root = root
        self._open: list[ElementSpec | None] = []
        self._breaks = 1
        """The number of line breaks since the last token."""
        self._last = ''
        """The kind of the last token."""

    @property
    def text(self) -> str:
        """The formatted text so far."""
        return ''.join(self._pieces)

    def put(self, token: Token) -> None:
        """Adds a token to the text."""
        if token.kind != 'blank':
            put = {
                'start': self._start,
                'empty': self._empty,
                'end': self._end,
                'comment': self._comment,
                'other': self._other,
            }
            put[token.kind](token)
            self._last = token.kind
        self._breaks = token.text[len(token.text.rstrip()) :].count('\n')

    def _start(self, token: Token) -> None:
        self._tag(token)
        self._add('>')

    def _empty(self, token: Token) -> None:
        self._tag(token)
        self._open.pop()
        self._add('/>')

    def _end(self, token: Token) -> None:
        self._open.pop()
        if self._last == 'start':
            self._pieces[-1] = '/>'
            self._column += 1
        else:
            self._breaks = 1
            self._begin_line()
            self._add(token.text.rstrip('> \t\n') + '>')

    def _comment(self, token: Token) -> None:
        first, *rest = (line.rstrip() for line in token.text.split('\n'))
        if self._breaks or rest or not self._pieces:
            self._begin_line()
        else:
            self._add(' ')
        indents = [_indent(line) for line in rest if line]
        shift = max(self._column - token.column, -min(indents, default=0))
        self._add('\n'.join([first, *(_shifted(line, shift) for line in rest)]))

    def _other(self, token: Token) -> None:
        self._begin_line()
        lines = (line.strip() for line in token.text.strip().split('\n'))
        self._add(f'\n{UNIT * len(self._open)}'.join(lines))

    def _begin_line(self) -> None:
        blank = self._breaks > 1 and self._last != 'start'
        if self._pieces:
            self._add('\n\n' if blank else '\n')
        self._add(UNIT * len(self._open))

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        _, end, line = text.rpartition('\n')
        self._column = len(line) if end else self._column + len(line)

    # Tags

    def _tag(self, token: Token) -> None:
        """Adds a start tag without its closing bracket."""
        self._begin_line()
        self._open.append(self._spec(token.name))
        numbers = _numbers_of(self._open[-1])
        self._add(f'<{token.name}')
        first = self._column + 1
        attributes = list(token.attributes.items())
        for key, value in attributes:
            laid = _lines_of_numbers(value, whole=numbers[key]) if key in numbers else None
            closing = len('/>') if (key, value) == attributes[-1] else 0
            self._attribute(key, laid or value.split('\n'), bool(laid), first, closing)

    def _attribute(
        self, key: str, lines: list[str], aligned: bool, first: int, closing: int
    ) -> None:
        """Adds an attribute to the line, or to a new line aligned with the first attribute."""
        width = len(f' {key}="{lines[0]}"') + closing
        fits = self._column < first or self._column + width <= WIDTH
        self._add(' ' if fits else '\n' + ' ' * first)
        self._add(f'{key}="')
        indent = ' ' * self._column if aligned else ''
        self._add(f'\n{indent}'.join(lines))
        self._add('"')

    def _spec(self, name: str) -> ElementSpec | None:
        if not self._open:
            return self._root
        above = self._open[-1]
        return above.children.get(name) if above else None


def _indent(line: str) -> int:
    """Returns the width of a line's indentation in columns."""
    return len(line[: len(line) - len(line.lstrip())].replace('\t', UNIT))


def _shifted(line: str, columns: int) -> str:
    """Indents a line by this number of additional columns."""
    return ' ' * (_indent(line) + columns) + line.lstrip() if line else ''


def _lines_of_numbers(value: str, *, whole: bool) -> list[str] | None:
    """Returns the lines of a value with shortened numbers, or None if a word is not a number."""
    lines = (line.split() for line in value.split('\n'))
    try:
        return [
            ' '.join([_shortest(word, whole=whole) for word in line]) for line in lines if line
        ]
    except ValueError:
        return None


def _shortest(number: str, *, whole: bool) -> str:
    """Returns the shortest text that is read as the same number.

    An exponent is used only if the original has one and the result is shorter. Raises ValueError
    for a number that is not finite.
    """
    if '_' in number or not number.isascii():
        raise ValueError(number)
    if whole:
        return str(int(number))
    value = float(number)
    if not isfinite(value):
        raise ValueError(number)
    plain = repr(value).removesuffix('.0').replace('e+', 'e').replace('e-0', 'e-')
    return min(plain, _scientific(value), key=len) if 'e' in number.lower() else plain


def _scientific(value: float) -> str:
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    first, *rest = map(str, digits)
    mantissa = f'{"-" * sign}{first}{"." * bool(rest)}{"".join(rest)}'
    return f'{mantissa}e{int(exponent) + len(rest)}'


def _spec_of_root(all_tokens: Sequence[Token]) -> ElementSpec | None:
    """Returns the first element that can contain the root's children: usually <mujoco>.

    Files meant for inclusion can contain the children of other elements, for example of <body>.
    """
    inside = [each for each in _directly_inside(all_tokens) if each.name != _INCLUDE]
    return next((spec for spec in _specs() if all(_takes(spec, each) for each in inside)), None)


def _numbers_of(spec: ElementSpec | None) -> _Numbers:
    """Returns the numeric attributes of an element; empty for an unknown element."""
    if spec is None:
        return {}
    kinds = {name: each.kind for name, each in spec.attributes.items()}
    return {name: kind == 'int' for name, kind in kinds.items() if kind in ('int', 'real')}


def _directly_inside(all_tokens: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for token in all_tokens:
        if depth == 1 and token.kind in ('start', 'empty'):
            yield token
        depth += (token.kind == 'start') - (token.kind == 'end')


def _takes(spec: ElementSpec, token: Token) -> bool:
    child = spec.children.get(token.name)
    return child is not None and token.attributes.keys() <= child.attributes.keys()


def _specs() -> Iterator[ElementSpec]:
    """Yields each element spec once, starting at the root."""
    left, seen = deque([root()]), set()
    while left:
        spec = left.popleft()
        if id(spec) not in seen:
            seen.add(id(spec))
            yield spec
            left += spec.children.values()
