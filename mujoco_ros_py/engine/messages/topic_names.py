"""Topic names derived from names in a model."""

from __future__ import annotations

import re


def as_topic(name: str) -> str:
    """Replaces the characters that ROS does not allow in a topic name with underscores."""
    allowed = re.sub(r'\W', '_', name, flags=re.ASCII)
    return f'_{allowed}' if allowed[:1].isdigit() else allowed
