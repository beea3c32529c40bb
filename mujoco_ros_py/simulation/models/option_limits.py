"""The values that options of the physics may have, in a model as when they are set later."""

from __future__ import annotations

import math
from collections.abc import Mapping

NUMBERS: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(('timestep', 'impratio'), (math.ulp(0.0), math.inf)),
    **dict.fromkeys(
        ('gravity', 'wind', 'magnetic', 'o_margin', 'o_solref'), (-math.inf, math.inf)
    ),
    **dict.fromkeys(
        ('density', 'viscosity', 'o_solimp', 'o_friction', 'tolerance', 'ls_tolerance'),
        (0.0, math.inf),
    ),
    **dict.fromkeys(('noslip_tolerance', 'ccd_tolerance', 'sleep_tolerance'), (0.0, math.inf)),
}
"""The least and the greatest value of each option that is a number or some."""
COUNTS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(('iterations', 'ls_iterations', 'noslip_iterations'), (0, 10**6)),
    'ccd_iterations': (0, 10**4),
    **dict.fromkeys(('sdf_iterations', 'sdf_initpoints'), (1, 10**3)),
}
"""The least and the greatest value of each option that is a count: with more, steps never end."""


def rule_of(name: str) -> str:
    """Returns what the values of an option must be, in words."""
    if name in COUNTS:
        low, high = COUNTS[name]
        return f'{low} to {high}'
    low_number = NUMBERS[name][0]
    if math.isinf(low_number):
        return 'finite'
    return f'finite and {">= 0" if low_number == 0 else "> 0"}'


def fits(name: str, number: float) -> bool:
    """Returns whether an option may have this number, or a number like it."""
    low, high = COUNTS.get(name) or NUMBERS[name]
    return math.isfinite(number) and low <= number <= high
