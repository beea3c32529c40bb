"""Collects what of a URDF has no counterpart in a model, to be said once."""

from __future__ import annotations


class LeftOut:
    """Sentences on what was left out, each with the names that it holds for."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, None]] = {}

    def add(self, sentence: str, *names: str) -> None:
        """Adds a sentence, or more names to a sentence that there is already."""
        self._names.setdefault(sentence, {}).update(dict.fromkeys(names))

    def sentences(self) -> tuple[str, ...]:
        """Returns the sentences in the order in which they first came."""
        return tuple(_told(sentence, list(names)) for sentence, names in self._names.items())


_MOST = 6
"""The number of names that a sentence tells at most."""


def _told(sentence: str, names: list[str]) -> str:
    if not names:
        return sentence
    more = f' and {len(names) - _MOST} more' if len(names) > _MOST else ''
    return f'{sentence}: {", ".join(names[:_MOST])}{more}'
