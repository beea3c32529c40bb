"""Compiled: limits what is commanded, whoever has commanded it."""

from __future__ import annotations

import math
from typing import Any

from .own_functions import own_function


@own_function()
def limit_commands(data: Any, limit: float) -> None:
    """Brings controls and applied forces into -limit to limit; what is no number stays."""
    _limit(data.ctrl, limit)
    _limit(data.qfrc_applied, limit)
    for body in range(len(data.xfrc_applied)):
        _limit(data.xfrc_applied[body], limit)


@own_function()
def _limit(numbers: Any, limit: float) -> None:
    for k in range(len(numbers)):
        if abs(numbers[k]) > limit:
            numbers[k] = math.copysign(limit, numbers[k])
