"""Tells what a recording contains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from .. import RecordedRun
from .timeline import Timeline


def summary_lines(
    run: RecordedRun, tell: Callable[[float], object] = lambda share: None
) -> Iterator[str]:
    """Yields lines about the sections, states, topics and versions of a recording.

    `tell(share)` is called with the share of the file that has been read, from 0 to 1.
    """
    timeline, states = Timeline(run, tell), Counter[int]()
    for span in timeline.spans:
        states[span.section.number] += span.states
    bounds = timeline.bounds()
    size = run.path.stat().st_size
    yield f'{run.path}: {size / 2**20:.1f} MiB, {"closed" if run.complete else "not closed"}'
    for number, section in run.sections.items():
        begin, end = bounds.get(number, (section.time, section.time))
        names = ', '.join(str(each['name']) for each in section.plugins)
        yield (
            f'section {number} ({section.reason}): {begin:g} to {end:g} s,'
            f' {states[number]} states, plugins: {names}'
        )
    yield f'saved states: {len(timeline.saved)}'
    losses = [each for each in timeline.events if each.get('event') == 'lost']
    for what in ('states', 'messages'):
        if lost := sum(each[what] for each in losses):
            yield f'{what} left out: {lost}'
    for topic, count in sorted(run.topics().items(), key=lambda item: item[0].name):
        yield f'topic {topic.name} ({topic.kind}): {count} messages'
    versions = run.about.get('versions', {})
    yield 'versions: ' + ', '.join(f'{name} {value}' for name, value in versions.items())
    for problem in run.problems:
        yield f'note: {problem}'
