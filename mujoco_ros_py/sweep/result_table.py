"""The results of a sweep as a table in a Parquet file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .outcome import Outcome

_PLAIN = 'number', 'verdict', 'reason', 'time_s', 'state', 'attempts', 'wall_s', 'host'


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
    """Writes the table; a file that is there is replaced at once."""
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
