"""What has come of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

PASSED, FAILED, HUNG, DIED = 'passed', 'failed', 'hung', 'died'
VERDICTS = {
    PASSED: 'success',
    FAILED: 'no success, or something that the run needs was refused',
    HUNG: 'ended because it took too long',
    DIED: 'worker, server or controller was killed again and again',
}
"""The verdicts, and what each of them means."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """The result of a run, of plain values that JSON can have."""

    number: int
    """The number of the run."""
    verdict: str
    """One of `VERDICTS`."""
    reason: str = ''
    """The reason, where the run has not passed."""
    values: dict[str, Any] = field(default_factory=dict)
    """The values of the run."""
    measures: dict[str, Any] = field(default_factory=dict)
    """The values of the expressions at the end of the run."""
    started: bool = True
    """Whether the server was ready for the first step."""
    time_s: float = 0.0
    """The simulated time at which the run ended."""
    state: str = ''
    """A hash of MuJoCo's whole integration state at the end; equal runs have equal ones."""
    attempts: int = 1
    """The number of times that the run was begun."""
    wall_s: float = 0.0
    """The wall time of the last attempt."""
    host: str = ''
    """The machine of the last attempt."""

    @property
    def passed(self) -> bool:
        """Whether the run has passed."""
        return self.verdict == PASSED

    def as_written(self) -> dict[str, Any]:
        """Returns the outcome for JSON."""
        return asdict(self)

    @classmethod
    def from_written(cls, written: Mapping[str, Any]) -> Outcome:
        """Makes an outcome from what `as_written` has returned."""
        names = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in written.items() if name in names})
