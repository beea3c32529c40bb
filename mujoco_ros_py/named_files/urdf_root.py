"""Tells URDF from other texts by its root element."""

from __future__ import annotations

import re

_BEFORE = re.compile(rb'[^<]*(<!--|<\?|<!)')
"""Matches the beginning of what may be before the root element."""
_END = {b'<!--': b'-->', b'<?': b'?>', b'<!': b'>'}
_FIRST = re.compile(rb'[^<]*<robot[\s/>]')


def is_urdf(content: bytes) -> bool:
    """Returns whether the root element of a text is that of a URDF."""
    place = 0
    while (found := _BEFORE.match(content, place)) is not None:
        end = content.find(_END[found[1]], found.end())
        if end < 0:
            return False
        place = end
    return _FIRST.match(content, place) is not None
