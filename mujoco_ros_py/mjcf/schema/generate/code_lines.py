"""Formats the lines of a stub with the line breaks that ruff would choose."""

from collections.abc import Iterable, Iterator, Sequence

_WIDTH = 99
_INDENT = '    '


def bracketed(head: str, parts: Sequence[str], tail: str, indent: str = '') -> list[str]:
    """Returns head, parts and tail on one line, on three lines, or with one line per part.

    The head ends with an opening bracket; the tail starts with the closing bracket.
    """
    inside = ', '.join(parts)
    if _fits(line := f'{indent}{head}{inside}{tail}'):
        return [line]
    lines = [f'{indent}{_INDENT}{inside}']
    if not _fits(lines[0]):
        lines = [f'{indent}{_INDENT}{part},' for part in parts]
    return [f'{indent}{head}', *lines, f'{indent}{tail}']


def union(name: str, parts: Sequence[str]) -> list[str]:
    """Returns the lines of a type alias for a union."""
    if _fits(line := f'{name}: TypeAlias = {" | ".join(parts)}'):
        return [line]
    lines = [f'{_INDENT}{" | ".join(parts)}']
    if not _fits(lines[0]):
        lines = [f'{_INDENT}{parts[0]}', *(f'{_INDENT}| {part}' for part in parts[1:])]
    return [f'{name}: TypeAlias = (', *lines, ')']


def method(name: str, parameters: Sequence[str], gives: str) -> list[str]:
    """Returns the lines of a method declaration."""
    return bracketed(f'def {name}(', ['self', *parameters], f') -> {gives}: ...', _INDENT)


def overloads(name: str, variants: Iterable[tuple[Sequence[str], str]]) -> Iterator[str]:
    """Yields the declarations of a method's variants, with `@overload` if it has several."""
    found = list(variants)
    for parameters, gives in found:
        if len(found) > 1:
            yield f'{_INDENT}@overload'
        yield from method(name, parameters, gives)


def _fits(line: str) -> bool:
    return len(line) <= _WIDTH
