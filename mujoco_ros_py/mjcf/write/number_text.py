"""Writes numbers as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .form import Form


def number_text(number: float, form: Form) -> str:
    """Returns the shortest text that restores the number, or fewer digits if `form` says so."""
    if type(number) is int:
        return str(number)
    if abs(number) < form.zero_threshold:
        return '0'
    if form.precision < 17:
        return f'{number:.{form.precision}g}'
    return repr(number).removesuffix('.0')
