"""The outcome of a run, and the table of all outcomes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

PASSED, FAILED, HUNG, DIED = 'passed', 'failed', 'hung', 'died'
VERDICTS = {
    PASSED: 'success',
    FAILED: 'no success, or the server or a controller refused its input',
    HUNG: 'stopped because it took too long',
    DIED: 'a process was killed: the worker, the server or a controller, also at each retry',
}
"""The verdicts, with their meanings."""
_PLAIN = 'number', 'verdict', 'reason', 'time_s', 'state', 'attempts', 'wall_s', 'host'
"""The columns of every table."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """The result of a run; all values can be written as JSON."""

    number: int
    """The number of the run."""
    verdict: str
    """One of `VERDICTS`."""
    reason: str = ''
    """The reason why the run has not passed; empty if it has."""
    values: dict[str, Any] = field(default_factory=dict)
    """The run's values, by name."""
    measures: dict[str, Any] = field(default_factory=dict)
    """The results of the `measures` expressions at the end of the run, by name."""
    started: bool = True
    """Whether the server was ready for the first step."""
    time_s: float = 0.0
    """The simulated time in seconds at the end of the run."""
    state: str = ''
    """A hash of MuJoCo's full integration state at the end, equal for identical runs."""
    attempts: int = 1
    """The number of attempts, including the first."""
    wall_s: float = 0.0
    """The wall time of the last attempt in seconds."""
    host: str = ''
    """The host name of the last attempt's machine."""

    @property
    def passed(self) -> bool:
        """Whether the run has passed."""
        return self.verdict == PASSED

    def as_written(self) -> dict[str, Any]:
        """Returns the outcome for JSON."""
        return asdict(self)

    @classmethod
    def from_written(cls, written: Mapping[str, Any]) -> Outcome:
        """Creates an outcome from the result of `as_written`; ignores unknown keys."""
        names = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in written.items() if name in names})


def columns_of(outcomes: Sequence[Outcome]) -> dict[str, list[Any]]:
    """Returns the columns: `number`, `verdict` and so on, `value.<name>`, `measure.<name>`.

    Values other than numbers, strings and bools become JSON text.
    """
    ordered = sorted(outcomes, key=lambda each: each.number)
    columns = {name: [getattr(each, name) for each in ordered] for name in _PLAIN}
    for lead, part in (('value', 'values'), ('measure', 'measures')):
        names = dict.fromkeys(name for each in ordered for name in getattr(each, part))
        for name in names:
            columns[f'{lead}.{name}'] = _alike([getattr(each, part).get(name) for each in ordered])
    return columns


def write_results(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Writes the table as a Parquet file; replaces an existing file atomically."""
    import pyarrow
    import pyarrow.parquet

    beside = path.with_name(f'.{path.name}')
    pyarrow.parquet.write_table(pyarrow.table(columns_of(outcomes)), beside)
    beside.replace(path)


def _alike(values: list[Any]) -> list[Any]:
    """Converts a column's values to a single type, as Parquet requires."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} and float in kinds:
        return [None if value is None else float(value) for value in values]
    if len(kinds) <= 1 and kinds <= {bool, int, str}:
        return values
    return [None if value is None else json.dumps(value) for value in values]
