"""Collects the parts of a URDF that a model cannot represent, to report each once."""

from __future__ import annotations


class LeftOut:
    """The unsupported parts of a URDF, as sentences with the names of the affected elements."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, None]] = {}

    def add(self, sentence: str, *names: str) -> None:
        """Adds a sentence, or adds names to an existing sentence."""
        self._names.setdefault(sentence, {}).update(dict.fromkeys(names))

    def sentences(self) -> tuple[str, ...]:
        """Returns the sentences in the order of their first occurrence."""
        return tuple(_told(sentence, list(names)) for sentence, names in self._names.items())


_MOST = 6
"""The maximum number of names listed in a sentence."""


def _told(sentence: str, names: list[str]) -> str:
    if not names:
        return sentence
    more = f' and {len(names) - _MOST} more' if len(names) > _MOST else ''
    return f'{sentence}: {", ".join(names[:_MOST])}{more}'
