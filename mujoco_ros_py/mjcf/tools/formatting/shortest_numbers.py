"""Writes numbers in their shortest form."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite


def shortest(number: str, *, whole: bool) -> str:
    """Returns the shortest text that is read as the same number.

    The text has an exponent only if the original has one and the exponent makes it shorter. Raises
    ValueError for a number that is not finite.
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
