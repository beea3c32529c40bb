"""Compares the package with the code that a user would write without it; results are ratios.

Each row is the median of several rounds. Rounds are added until the spread (half the width of the
90 % confidence interval) is below a fifth of the distance to the limit, for at most 40 s. All rows
together take at most 15 minutes. The exit code is 1 if a row misses its limit or fails.
"""

from __future__ import annotations

import argparse
import json
import math
import signal
import sys
import time
from contextlib import ExitStack

from .rounds import LeftOutError, Result
from .rows import ROWS, Row
from .trees import RowFailedError, Tree, UnknownCommitError, tree_of

_ROW_S, _ALL_S = 40.0, 900.0
_HANGS_S = 120.0
"""The time in s beyond its limit after which a row counts as hung."""
_INTERRUPTED = 130
Outcome = Result | LeftOutError | RowFailedError


def main() -> int:
    """Prints a line after each row, and a table at the end; returns the exit code."""
    parser = argparse.ArgumentParser('python -m benchmarks', description=__doc__)
    parser.add_argument('rows', nargs='*', help=f'any of {", ".join(ROWS)}; default: all')
    parser.add_argument('--compare', metavar='COMMIT', help='also measure each row at this commit')
    args = parser.parse_args()
    if unknown := [name for name in args.rows if name not in ROWS]:
        parser.error(f'unknown row {", ".join(unknown)}; known: {", ".join(ROWS)}')
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    outcomes: dict[str, list[Outcome]] = {}
    labels = ['before', 'now'] if args.compare else ['figure']
    code = 0
    with ExitStack() as stack:
        try:
            before = [stack.enter_context(tree_of(args.compare))] if args.compare else []
            trees = dict(zip(labels, [*before, Tree()], strict=True))
            _measure(args.rows or list(ROWS), trees, outcomes)
        except UnknownCommitError as error:
            parser.error(f'--compare: {error}')
        except KeyboardInterrupt:
            code = _INTERRUPTED
    print('\n' + table(labels, outcomes))
    return code or any(missed(ROWS[name], made[-1]) for name, made in outcomes.items())


def _measure(names: list[str], trees: dict[str, Tree], outcomes: dict[str, list[Outcome]]) -> None:
    """Measures each row in all trees in turn, and adds the results to `outcomes`."""
    end = time.monotonic() + len(trees) * _ALL_S
    left = len(trees) * len(names)
    for name in names:
        for label, tree in trees.items():
            # A row may use twice its share of the remaining time, because most rows need less.
            limit_s = min(_ROW_S, 2 * (end - time.monotonic()) / (left + 1))
            outcome = _outcome(name, tree, limit_s)
            outcomes.setdefault(name, []).append(outcome)
            print(f'{name:22}{label:7}{line(ROWS[name], outcome)}', flush=True)
            left -= 1


def _outcome(name: str, tree: Tree, limit_s: float) -> Outcome:
    words = f'{__package__}.row', name, str(limit_s)
    try:
        told = json.loads(tree.run(*words, timeout_s=limit_s + _HANGS_S))
    except RowFailedError as error:
        return error
    return LeftOutError(told['left_out']) if 'left_out' in told else Result(**told)


def line(row: Row, outcome: Outcome) -> str:
    """Returns the line of a row with its figure, limit, rounds and remark."""
    told = f'{_figure(outcome)}  {row.rule} {row.limit:<6.4g}'
    if isinstance(outcome, Result):
        told += f'{outcome.rounds:4} rounds{outcome.seconds:3.0f} s  {outcome.measured}'
    return f'{told}  {_remark(row, outcome)}'.rstrip()


def table(labels: list[str], outcomes: dict[str, list[Outcome]]) -> str:
    """Returns a table of all rows, with a column for each checkout."""
    lines = [f'{"row":22}' + ''.join(f'{label:>8}  spread' for label in labels) + '  limit']
    for name, made in outcomes.items():
        row = ROWS[name]
        figures = ''.join(map(_figure, made))
        remark = _remark(row, made[-1])
        lines.append(f'{name:22}{figures}  {row.rule} {row.limit:.4g}  {remark}'.rstrip())
    return '\n'.join(lines)


def _figure(outcome: Outcome) -> str:
    """Returns the figure and its spread, 16 characters wide."""
    if isinstance(outcome, Result):
        spread = f'±{outcome.spread:.2g}' if math.isfinite(outcome.spread) else 'unknown'
        return f'{outcome.ratio:8.4g}{spread:>8}'
    return f'{"-":>8}{"":8}'


def _remark(row: Row, outcome: Outcome) -> str:
    if isinstance(outcome, Result):
        return 'MISSED' if missed(row, outcome) else ''
    return f'{"skipped" if isinstance(outcome, LeftOutError) else "FAILED"}: {outcome}'


def missed(row: Row, outcome: Outcome) -> bool:
    """Returns whether a row failed or missed its limit."""
    if isinstance(outcome, Result):
        return not row.met(outcome.ratio)
    return isinstance(outcome, RowFailedError)


if __name__ == '__main__':
    sys.exit(main())
