"""Measures the package against what a user would have without it, as ratios.

Each row is the median of as many rounds as bring its spread (half the width of its 90 % confidence
interval) below a fifth of its distance to the limit, in at most 40 s. All rows take at most 15
minutes. The exit code is 1 if a row is missed or fails.
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
"""The time in s after which a row that should have ended hangs."""
_INTERRUPTED = 130
Outcome = Result | LeftOutError | RowFailedError


def main() -> int:
    """Prints a line as each row is done, then a table; returns the exit code."""
    parser = argparse.ArgumentParser('python -m benchmarks', description=__doc__)
    parser.add_argument('rows', nargs='*', help=f'of {", ".join(ROWS)}; none: all')
    parser.add_argument(
        '--compare', metavar='COMMIT', help='measure each row with this commit before'
    )
    args = parser.parse_args()
    if unknown := [name for name in args.rows if name not in ROWS]:
        parser.error(f'no row {", ".join(unknown)}; there are {", ".join(ROWS)}')
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
    """Measures each row in all trees in turn, and adds the outcomes."""
    end = time.monotonic() + len(trees) * _ALL_S
    left = len(trees) * len(names)
    for name in names:
        for label, tree in trees.items():
            # Twice the row's share of the time that is left, as most rows need less than theirs.
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
    """Returns all that is known of a row."""
    told = f'{_figure(outcome)}  {row.rule} {row.limit:<6.4g}'
    if isinstance(outcome, Result):
        told += f'{outcome.rounds:4} rounds{outcome.seconds:3.0f} s  {outcome.measured}'
    return f'{told}  {_remark(row, outcome)}'.rstrip()


def table(labels: list[str], outcomes: dict[str, list[Outcome]]) -> str:
    """Returns the figures of all rows, with a column for each checkout."""
    lines = [f'{"row":22}' + ''.join(f'{label:>8}  spread' for label in labels) + '  limit']
    for name, made in outcomes.items():
        row = ROWS[name]
        figures = ''.join(map(_figure, made))
        remark = _remark(row, made[-1])
        lines.append(f'{name:22}{figures}  {row.rule} {row.limit:.4g}  {remark}'.rstrip())
    return '\n'.join(lines)


def _figure(outcome: Outcome) -> str:
    """Returns the figure and its spread in 16 columns."""
    if isinstance(outcome, Result):
        spread = f'±{outcome.spread:.2g}' if math.isfinite(outcome.spread) else 'unknown'
        return f'{outcome.ratio:8.4g}{spread:>8}'
    return f'{"-":>8}{"":8}'


def _remark(row: Row, outcome: Outcome) -> str:
    if isinstance(outcome, Result):
        return 'MISSED' if missed(row, outcome) else ''
    return f'{"left out" if isinstance(outcome, LeftOutError) else "FAILED"}: {outcome}'


def missed(row: Row, outcome: Outcome) -> bool:
    """Returns whether a row has failed or is beyond its limit."""
    if isinstance(outcome, Result):
        return not row.met(outcome.ratio)
    return isinstance(outcome, RowFailedError)


if __name__ == '__main__':
    sys.exit(main())
