"""Names of topics that are made of names in a model."""

from __future__ import annotations

import re


def as_topic(name: str) -> str:
    """Returns a name with characters that ROS allows in a topic: others become underscores."""
    allowed = re.sub(r'\W', '_', name, flags=re.ASCII)
    return f'_{allowed}' if allowed[:1].isdigit() else allowed
