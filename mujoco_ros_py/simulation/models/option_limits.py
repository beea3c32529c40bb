"""The allowed values of physics options, both in a model and when they are set later."""

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
"""The minimum and maximum of each option that is a number or an array of numbers."""
COUNTS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(('iterations', 'ls_iterations', 'noslip_iterations'), (0, 10**6)),
    'ccd_iterations': (0, 10**4),
    **dict.fromkeys(('sdf_iterations', 'sdf_initpoints'), (1, 10**3)),
}
"""The minimum and maximum of each option that is a count. With larger counts, a step might never
end."""


def rule_of(name: str) -> str:
    """Returns the rule for the values of an option, in words."""
    if name in COUNTS:
        low, high = COUNTS[name]
        return f'{low} to {high}'
    low_number = NUMBERS[name][0]
    if math.isinf(low_number):
        return 'finite'
    return f'finite and {">= 0" if low_number == 0 else "> 0"}'


def fits(name: str, number: float) -> bool:
    """Returns whether a number is allowed as an option's value, or as an element of its value."""
    low, high = COUNTS.get(name) or NUMBERS[name]
    return math.isfinite(number) and low <= number <= high
