"""Tells what a recording contains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..recording import RecordedRun
from .row_steps import RecordedRow, recorded_rows


def summary_lines(run: RecordedRun) -> Iterator[str]:
    """Yields lines about the sections, states, topics and versions of a recording."""
    states: Counter[int] = Counter()
    spans: dict[int, tuple[float, float]] = {}
    saved = 0
    for row in recorded_rows(run):
        if not isinstance(row, RecordedRow):
            saved += 1
            continue
        number = row.section.number
        states[number] += 1
        first, last = spans.get(number, (row.time, row.time))
        spans[number] = min(first, row.time), max(last, row.time)
    size = run.path.stat().st_size
    yield f'{run.path}: {size / 2**20:.1f} MiB, {"closed" if run.complete else "not closed"}'
    for number, section in run.sections.items():
        begin, end = spans.get(number, (section.time, section.time))
        names = ', '.join(str(each['name']) for each in section.plugins)
        yield (
            f'section {number} ({section.reason}): {begin:g} to {end:g} s,'
            f' {states[number]} states, plugins: {names}'
        )
    yield f'saved states: {saved}'
    lost = sum(int(each['states']) for each in run.events() if each.get('event') == 'lost')
    if lost:
        yield f'states left out: {lost}'
    for topic, count in sorted(run.topics().items(), key=lambda item: item[0].name):
        yield f'topic {topic.name} ({topic.kind}): {count} messages'
    versions = run.about.get('versions', {})
    yield 'versions: ' + ', '.join(f'{name} {value}' for name, value in versions.items())
    for problem in run.problems:
        yield f'note: {problem}'
