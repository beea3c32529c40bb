"""Shows the progress of a sweep: a bar and a table on a terminal, otherwise a line per run."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from .outcome import VERDICTS, Outcome
from .run_spec import RunSpec

_COLORS = {'passed': 'green', 'failed': 'red', 'hung': 'yellow', 'died': 'magenta'}
_LAST = 8


class SweepProgress:
    """Shows the progress of a sweep on stderr; use it in a `with` block."""

    def __init__(self, runs: Sequence[RunSpec], outcomes: Mapping[int, Outcome]) -> None:
        self._runs, self._outcomes = runs, outcomes
        self._last: list[Outcome] = []
        self._live: Any = None

    def __enter__(self) -> SweepProgress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def ended(self, outcome: Outcome) -> None:
        """Shows an ended run."""
        self._last = [*self._last, outcome][-_LAST:]
        if self._live is None:
            spec = self._runs[outcome.number]
            count = f'[{len(self._outcomes)}/{len(self._runs)}]'
            reason = outcome.reason.partition('\n')[0]
            words = (count, spec.name, outcome.verdict, spec.described(), reason)
            print(' '.join(filter(None, words)), file=sys.stderr, flush=True)

    def going(self, going: Mapping[int, float]) -> None:
        """Shows the runs in progress, with their wall times in seconds."""
        if self._live is not None:
            self._live.update(self._shown(going), refresh=True)

    def _shown(self, going: Mapping[int, float]) -> Any:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        table = Table('run', 'verdict', 'values', 'time', 'wall time', 'reason', expand=True)
        for each in self._last:
            verdict = Text(each.verdict, style=_COLORS[each.verdict])
            table.add_row(
                str(each.number), verdict, self._runs[each.number].described(),
                f'{each.time_s:.4g} s', f'{each.wall_s:.1f} s', each.reason.partition('\n')[0],
            )  # fmt: skip
        for number, wall_s in going.items():
            table.add_row(
                str(number), 'running', self._runs[number].described(), '', f'{wall_s:.1f} s', ''
            )
        done, total = len(self._outcomes), len(self._runs)
        counts = [each.verdict for each in self._outcomes.values()]
        told = ', '.join(f'{counts.count(word)} {word}' for word in VERDICTS if word in counts)
        bar = ProgressBar(total=max(1, total), completed=done)
        return Group(table, Text(f'{done} of {total} runs; {told}'), bar)  # a bar adds no newline
