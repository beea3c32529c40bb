"""The attributes of which MuJoCo lets an element have only one."""

from collections.abc import Iterable

ORIENTATIONS = 'quat', 'axisangle', 'xyaxes', 'zaxis', 'euler'
LEGACY_SIZES = 'njmax', 'nstack'
"""The sizes that MuJoCo refuses beside `memory` in one element. In two elements `memory` counts.
"""
_ALTERNATIVES = (
    ORIENTATIONS,
    ('kv', 'dampratio'),
    ('inheritrange', 'ctrlrange'),
    ('inheritrange', 'actrange'),
    ('fovy', 'sensorsize'),
    ('directional', 'type'),
)
"""The groups of attributes of which an element has only one."""


def rivals(keys: Iterable[str]) -> set[str]:
    """Returns the attributes that an element with these attributes must not have beside them."""
    said = set(keys)
    return {
        key for group in _ALTERNATIVES for key in group if not said.isdisjoint(set(group) - {key})
    }


def refused_beside(key: str) -> tuple[str, ...]:
    """Returns the attributes that must be in another <size> than this attribute."""
    if key == 'memory':
        return LEGACY_SIZES
    return ('memory',) if key in LEGACY_SIZES else ()
