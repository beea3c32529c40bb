"""The result of a benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


class LeftOutError(Exception):
    """The reason why a row cannot be measured here."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """A row of the table: a ratio, and the value that it is measured against."""

    name: str
    ratio: float
    rule: Literal['at least', 'at most']
    limit: float
    measured: str
    """The server's figure and the other's, with units."""

    @property
    def met(self) -> bool:
        """Whether the ratio is within the limit."""
        if self.rule == 'at least':
            return self.ratio >= self.limit
        return self.ratio <= self.limit
