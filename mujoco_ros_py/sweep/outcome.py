"""What has come of a run, and the table of what has come of all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

PASSED, FAILED, HUNG, DIED = 'passed', 'failed', 'hung', 'died'
VERDICTS = {
    PASSED: 'success',
    FAILED: 'no success, or something that the run needs was refused',
    HUNG: 'ended because it took too long',
    DIED: 'worker, server or controller was killed again and again',
}
"""The verdicts, and what each of them means."""
_PLAIN = 'number', 'verdict', 'reason', 'time_s', 'state', 'attempts', 'wall_s', 'host'
"""The columns that every table has."""


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


def columns_of(outcomes: Sequence[Outcome]) -> dict[str, list[Any]]:
    """Returns the columns: `number`, `verdict` and so on, `value.<name>`, `measure.<name>`.

    What is neither a number, a word nor a truth value stands as JSON.
    """
    ordered = sorted(outcomes, key=lambda each: each.number)
    columns = {name: [getattr(each, name) for each in ordered] for name in _PLAIN}
    for lead, part in (('value', 'values'), ('measure', 'measures')):
        names = dict.fromkeys(name for each in ordered for name in getattr(each, part))
        for name in names:
            columns[f'{lead}.{name}'] = _alike([getattr(each, part).get(name) for each in ordered])
    return columns


def write_results(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Writes the table as a Parquet file; a file that is there is replaced at once."""
    import pyarrow
    import pyarrow.parquet

    beside = path.with_name(f'.{path.name}')
    pyarrow.parquet.write_table(pyarrow.table(columns_of(outcomes)), beside)
    beside.replace(path)


def _alike(values: list[Any]) -> list[Any]:
    """Returns the values of a column in one type, which Parquet demands."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} and float in kinds:
        return [None if value is None else float(value) for value in values]
    if len(kinds) <= 1 and kinds <= {bool, int, str}:
        return values
    return [None if value is None else json.dumps(value) for value in values]
