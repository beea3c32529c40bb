"""Measures one row in its own process: `python -m benchmarks.row ROW SECONDS`.

Prints a JSON object with the fields of `Result`, or with the key `left_out` and the reason.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from importlib import import_module

from .rounds import LeftOutError, measure
from .rows import ROWS


def main(name: str, limit_s: str) -> None:
    """Measures the row for at most `limit_s`, and prints its result."""
    begin_s = time.monotonic()
    row = ROWS[name]
    try:
        rounds = getattr(import_module(f'.{row.module}', __package__), row.function)()
        told = asdict(measure(row, rounds, begin_s, float(limit_s)))
    except LeftOutError as reason:
        told = {'left_out': str(reason)}
    print(json.dumps(told), flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
