"""Generates the type hints of attributes."""

from collections.abc import Iterable, Iterator, Sequence

from ..class_names import targets, union_name
from ..specs import AttributeSpec, ElementSpec
from .code_lines import bracketed

_FEW = 3
"""The maximum number of keywords in the name of a type; longer choices are named after their
attribute."""
_BOOL = {'false', 'true'}


def python_name(name: str) -> str:
    """Returns the Python name of an attribute."""
    return 'dclass' if name == 'class' else name


class Hints:
    """The types of attributes, by their names in the stub."""

    def __init__(self, names: dict[str, ElementSpec]) -> None:
        self._targets = targets(names)
        self._words = _word_types(names)

    def aliases(self) -> Iterator[str]:
        """Yields the type aliases for the choices of keywords."""
        for words, name in sorted(self._words.items(), key=lambda pair: pair[1]):
            yield from bracketed(f'{name}: TypeAlias = Literal[', [*map(repr, words)], ']')

    def declared(self, spec: AttributeSpec) -> str:
        """Returns the declared type of an attribute."""
        got, given = self.got(spec), self.given(spec)
        if not spec.required:
            return f'Attribute[{got}, {given}]'
        lost = ' | None' if spec.kind == 'reference' else ''  # None for a removed element
        return f'Required[{got}{lost}, {given}]'

    def got(self, spec: AttributeSpec) -> str:
        """Returns the type of the attribute's value if it is set."""
        if spec.kind in ('int', 'real'):
            number = 'int' if spec.kind == 'int' else 'float'
            return f'{number.capitalize()}s' if spec.is_array else number
        if spec.kind == 'reference':
            return f'{self._target(spec)} | str'
        if spec.kind == 'keyword':
            return self._words[spec.keywords]
        return '_File' if spec.kind == 'file' else 'str'

    def given(self, spec: AttributeSpec) -> str:
        """Returns the type of accepted values, apart from None."""
        got = self.got(spec)
        if spec.kind in ('int', 'real'):
            return f'{got.capitalize()}Like'
        if spec.kind == 'keyword':
            return f'{got} | bool' if _BOOL.issubset(spec.keywords) else got
        if spec.kind == 'keywords':
            return f'str | Iterable[{self._words[spec.keywords]}]'
        if spec.kind == 'references':
            return f'str | Iterable[{self._target(spec)} | str]'
        return '_File | str' if spec.kind == 'file' else got

    def _target(self, spec: AttributeSpec) -> str:
        namespace = spec.namespace or ''
        return one_of(namespace, self._targets.get(namespace, ['Element']))


def _word_types(names: dict[str, ElementSpec]) -> dict[tuple[str, ...], str]:
    """Names a choice of keywords after the keywords, or after the attribute if they are many."""
    found: dict[tuple[str, ...], str] = {}
    for owner, spec in names.items():
        for each in spec.attributes.values():
            if words := each.keywords:
                parts = words if len(words) <= _FEW else (owner, each.name)
                found.setdefault(words, _joined(parts))
    return found


def _joined(words: Iterable[str]) -> str:
    return '_' + ''.join(word[:1].upper() + word[1:] for word in words)


def one_of(namespace: str, classes: Sequence[str]) -> str:
    """Returns the only class of a namespace, or the name of the union of its classes."""
    return classes[0] if len(classes) == 1 else union_name(namespace)


def described(spec: AttributeSpec) -> str:
    """Returns the shape and default of an attribute as a sentence; empty if it has neither."""
    said = [_count(spec)] if spec.is_array else []
    said += [f'default `{spec.default}`'] if spec.default else []
    text = ', '.join(said)
    return f'{text[:1].upper()}{text[1:]}.' if text else ''


def _count(spec: AttributeSpec) -> str:
    if spec.high is None:
        return 'any number of numbers'
    few = '' if spec.low == spec.high else f'{spec.low} to '
    return f'{few}{spec.high} numbers'
