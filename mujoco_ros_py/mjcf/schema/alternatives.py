"""Groups of attributes that exclude each other in MuJoCo."""

from collections.abc import Iterable

ORIENTATIONS = 'quat', 'axisangle', 'xyaxes', 'zaxis', 'euler'
LEGACY_SIZES = 'njmax', 'nstack'
"""Sizes that MuJoCo rejects next to `memory` in the same <size> element. If they are in different
<size> elements, MuJoCo uses `memory`."""
_ALTERNATIVES = (
    ORIENTATIONS,
    ('kv', 'dampratio'),
    ('inheritrange', 'ctrlrange'),
    ('inheritrange', 'actrange'),
    ('fovy', 'sensorsize'),
    ('directional', 'type'),
)
"""Groups of attributes; an element can have only one of each group."""


def rivals(keys: Iterable[str]) -> set[str]:
    """Returns the attributes that cannot be combined with these attributes."""
    said = set(keys)
    return {
        key for group in _ALTERNATIVES for key in group if not said.isdisjoint(set(group) - {key})
    }


def refused_beside(key: str) -> tuple[str, ...]:
    """Returns the attributes that must be in a different <size> than this attribute."""
    if key == 'memory':
        return LEGACY_SIZES
    return ('memory',) if key in LEGACY_SIZES else ()
