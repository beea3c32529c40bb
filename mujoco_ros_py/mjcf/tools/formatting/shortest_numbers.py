"""How numbers are written in files that people read."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite


def shortest(number: str, *, whole: bool) -> str:
    """Writes a number in as few digits as bring it back; ValueError if it is not finite.

    It has an exponent only if it had one, and if that is shorter.
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
