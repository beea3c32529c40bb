"""How numbers are written in files that people read."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite


def shortest(number: str, *, whole: bool) -> str:
    """The same number in as few digits as bring it back; what is no number stays as it is.

    With an exponent only if it had one or has many zeros, and that is shorter.
    """
    if '_' in number or not number.isascii():
        return number
    try:
        if whole:
            return str(int(number))
        value = float(number)
    except ValueError:
        return number
    if not isfinite(value):
        return number
    plain = repr(value).removesuffix('.0').replace('e+', 'e').replace('e-0', 'e-')
    return min(plain, _scientific(value), key=len) if 'e' in number.lower() else plain


def _scientific(value: float) -> str:
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    first, *rest = map(str, digits)
    mantissa = f'{"-" * sign}{first}{"." * bool(rest)}{"".join(rest)}'
    return f'{mantissa}e{int(exponent) + len(rest)}'
