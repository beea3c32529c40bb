"""POSIX extended regular expressions, whose search takes no longer than text times pattern.

Python's own would read them in another way, and a pattern such as ``(a|a)*b`` could take for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ...config.wording import shown
from ...errors import ConfigError

MOST_CHARACTERS = 200
_MOST_STATES = 400
_MOST_REPEATS = 255
_INTERVAL = re.compile(r'\{(\d{1,3})(?:(,)(\d{1,3})?)?\}')
_SPECIAL = '^.[$()|*+?{\\'
_CLASSES: dict[str, Callable[[str], bool]] = {
    'alpha': str.isalpha,
    'digit': lambda c: c in '0123456789',
    'alnum': lambda c: c.isalpha() or c in '0123456789',
    'upper': str.isupper,
    'lower': str.islower,
    'space': str.isspace,
    'blank': lambda c: c in ' \t',
    'punct': lambda c: c.isprintable() and not c.isalnum() and not c.isspace(),
    'print': str.isprintable,
    'graph': lambda c: c.isprintable() and not c.isspace(),
    'cntrl': lambda c: ord(c) < 32 or ord(c) == 127,
    'xdigit': lambda c: c in '0123456789abcdefABCDEF',
}


@dataclass(slots=True)
class _Letters:
    """A set of characters."""

    single: set[str] = field(default_factory=set)
    ranges: list[tuple[str, str]] = field(default_factory=list)
    classes: list[Callable[[str], bool]] = field(default_factory=list)
    others: bool = False
    """Whether the set has all characters but these."""

    def __contains__(self, character: str) -> bool:
        found = (
            character in self.single
            or any(low <= character <= high for low, high in self.ranges)
            or any(test(character) for test in self.classes)
        )
        return found != self.others


@dataclass(frozen=True, slots=True)
class _Node:
    """A part of an expression: letters, a place, parts in a row, a choice, or a repetition."""

    kind: str
    parts: tuple[_Node, ...] = ()
    letters: _Letters | None = None
    least: int = 0
    most: int | None = None


class _Reader:
    """Reads an expression. Raises ConfigError for what POSIX does not define."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def whole(self) -> _Node:
        found = self._choice()
        if self._at < len(self._text):
            raise self._wrong('a ) without its (')
        return found

    def _choice(self) -> _Node:
        branches = [self._row()]
        while self._take('|'):
            branches.append(self._row())
        return branches[0] if len(branches) == 1 else _Node('choice', tuple(branches))

    def _row(self) -> _Node:
        parts: list[_Node] = []
        while self._at < len(self._text) and self._text[self._at] not in '|)':
            parts.append(self._repeated(self._atom()))
        return _Node('row', tuple(parts))

    def _repeated(self, atom: _Node) -> _Node:
        for sign, least, most in (('*', 0, None), ('+', 1, None), ('?', 0, 1)):
            if self._take(sign):
                return self._once(_Node('repeat', (atom,), least=least, most=most))
        found = _INTERVAL.match(self._text, self._at)
        if found is None:
            return atom
        self._at = found.end()
        least = int(found[1])
        most = (int(found[3]) if found[3] else None) if found[2] else least
        if max(least, most or 0) > _MOST_REPEATS or (most is not None and most < least):
            raise self._wrong(f'{found[0]}, which must be ascending and at most {_MOST_REPEATS}')
        return self._once(_Node('repeat', (atom,), least=least, most=most))

    def _once(self, made: _Node) -> _Node:
        if self._text[self._at : self._at + 1] in tuple('*+?{'):
            raise self._wrong('two repetitions behind each other')
        return made

    def _atom(self) -> _Node:
        character = self._text[self._at]
        self._at += 1
        if character == '(':
            inner = self._choice()
            if not self._take(')'):
                raise self._wrong('a ( without its )')
            return inner
        if character == '[':
            return _Node('letters', letters=self._bracket())
        if character in '^$':
            return _Node('begin' if character == '^' else 'end')
        if character == '.':
            return _Node('letters', letters=_Letters(others=True))
        if character in '*+?{':
            raise self._wrong(f'nothing before {character} that it repeats')
        if character == '\\':
            character = self._text[self._at : self._at + 1]
            self._at += 1
            if not character or character not in _SPECIAL + ']}/-':
                raise self._wrong(f'a backslash before {character!r}')
        return _Node('letters', letters=_Letters(single={character}))

    def _bracket(self) -> _Letters:
        letters = _Letters(others=self._take('^'))
        first = True
        while first or not self._take(']'):
            first = False
            if self._take('[:'):
                letters.classes.append(self._class())
                continue
            low = self._letter()
            if (
                self._text[self._at : self._at + 1] == '-'
                and self._text[self._at + 1 :][:1] != ']'
            ):
                self._at += 1
                high = self._letter()
                if high < low:
                    raise self._wrong(f'the range {low}-{high}')
                letters.ranges.append((low, high))
            else:
                letters.single.add(low)
        return letters

    def _class(self) -> Callable[[str], bool]:
        name, end, _ = self._text[self._at :].partition(':]')
        if not end or name not in _CLASSES:
            raise self._wrong(f'a class that is none of {", ".join(_CLASSES)}')
        self._at += len(name) + 2
        return _CLASSES[name]

    def _letter(self) -> str:
        if self._text[self._at : self._at + 2] in ('[.', '[='):
            raise self._wrong('collating elements')
        if self._at >= len(self._text):
            raise self._wrong('a [ without its ]')
        self._at += 1
        return self._text[self._at - 1]

    def _take(self, text: str) -> bool:
        found = self._text.startswith(text, self._at)
        self._at += len(text) * found
        return found

    def _wrong(self, what: str) -> ConfigError:
        return ConfigError(
            f'filter is no POSIX extended regular expression: {shown(self._text)} has {what}'
        )


class Pattern:
    """An expression that is searched for in names."""

    def __init__(self, text: str) -> None:
        """Raises ConfigError for an expression that is wrong, or too large."""
        self._text = text
        if len(text) > MOST_CHARACTERS:
            raise self._too_large()
        self._letters: list[_Letters | None] = []
        self._kinds: list[str] = []
        self._next: list[list[int]] = []
        self._work = 0
        self._found = self._add('found')
        self._start = self._compiled(_Reader(text).whole(), self._found)

    def search(self, name: str) -> bool:
        """Returns whether the expression is somewhere in the name."""
        states: set[int] = set()
        for place in range(len(name) + 1):
            self._reach(self._start, place, len(name), states)
            if self._found in states:
                return True
            after: set[int] = set()
            for state in states if place < len(name) else ():
                letters = self._letters[state]
                if letters is not None and name[place] in letters:
                    self._reach(self._next[state][0], place + 1, len(name), after)
            states = after
        return False

    def _reach(self, state: int, place: int, end: int, reached: set[int]) -> None:
        """Adds a state, and what can be reached from it without a character."""
        waiting = [state]
        while waiting:
            state = waiting.pop()
            kind = self._kinds[state]
            if state in reached or (kind == 'begin' and place) or (kind == 'end' and place < end):
                continue
            reached.add(state)
            if kind != 'letters':
                waiting.extend(self._next[state])

    def _compiled(self, node: _Node, after: int) -> int:
        """Adds the states of a part, which goes on with a state; returns the first of them."""
        self._work += 1
        if self._work > 10 * _MOST_STATES:
            raise self._too_large()
        if node.kind == 'row':
            for part in reversed(node.parts):
                after = self._compiled(part, after)
            return after
        if node.kind == 'choice':
            return self._add('split', [self._compiled(part, after) for part in node.parts])
        if node.kind == 'repeat':
            return self._repeat(node, after)
        return self._add(node.kind, [after], node.letters)

    def _repeat(self, node: _Node, after: int) -> int:
        (part,) = node.parts
        start = after
        if node.most is None:
            start = self._add('split', [after])
            self._next[start].append(self._compiled(part, start))
        for _ in range((node.most or node.least) - node.least):
            start = self._add('split', [after, self._compiled(part, start)])
        for _ in range(node.least):
            start = self._compiled(part, start)
        return start

    def _add(
        self, kind: str, following: list[int] | None = None, letters: _Letters | None = None
    ) -> int:
        if len(self._kinds) >= _MOST_STATES:
            raise self._too_large()
        self._kinds.append(kind)
        self._next.append(following or [])
        self._letters.append(letters)
        return len(self._kinds) - 1

    def _too_large(self) -> ConfigError:
        return ConfigError(
            f'filter must have at most {MOST_CHARACTERS} characters and, with its repetitions'
            f' written out, {_MOST_STATES} parts, got {shown(self._text)}'
        )
