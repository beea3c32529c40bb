"""Writes the report of a sweep as one HTML file."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from .outcome import VERDICTS, Outcome
from .report_page import page, plots, sized
from .sweep_folder import RESULTS, SweepFolder

_COLORS = {'passed': '#2e9e5b', 'failed': '#d1495b', 'hung': '#e0a100', 'died': '#5c5c66'}
_MOST_PLOTS = 24
_MOST_ROWS = 2000


def write_report(path: Path, title: str, folder: SweepFolder) -> None:
    """Writes the report; replaces an existing file atomically."""
    outcomes = sorted(folder.outcomes.values(), key=lambda each: each.number)
    told, table = html.escape(summary(outcomes)), _table(outcomes, folder)
    marks = ''.join(f'.{word} {{ color: {color} }}' for word, color in _COLORS.items())
    body = f'<p>{told}</p>{_plots(outcomes)}<h2>Runs</h2>{table}'
    content = page(title, body, marks)
    beside = path.with_name(f'.{path.name}')
    beside.write_text(content)
    beside.replace(path)


def summary(outcomes: Sequence[Outcome]) -> str:
    """Returns the run count of each verdict: ``60 runs: 57 passed, 3 failed``."""
    counts = Counter(each.verdict for each in outcomes)
    told = ', '.join(f'{counts[word]} {word}' for word in VERDICTS if counts[word])
    return f'{len(outcomes)} runs: {told or "none has finished"}'


def _plots(outcomes: Sequence[Outcome]) -> str:
    """Returns the HTML of the plots: verdicts and measures, each over every varied value."""
    names = dict.fromkeys(name for each in outcomes for name in each.values)
    measures = dict.fromkeys(
        name
        for each in outcomes
        for name, value in each.measures.items()
        if isinstance(value, int | float)
    )
    figures = [partial(_shares, outcomes, name) for name in names]
    figures += [
        partial(_points, outcomes, name, measure)
        for measure in measures
        for name in (names or (None,))
    ]
    return plots(figure() for figure in figures[:_MOST_PLOTS]) + _left_out(
        'plots', len(figures), _MOST_PLOTS
    )


def _left_out(what: str, count: int, shown: int) -> str:
    """Returns a note on the number of omitted items; empty if the page shows all items."""
    if count <= shown:
        return ''
    return f'<p>{shown:,} of {count:,} {what} are shown; all numbers are in {RESULTS}.</p>'


def _shares(outcomes: Sequence[Outcome], name: str) -> Any:
    """Returns a stacked histogram of the verdicts over one varied value."""
    import plotly.graph_objects as graphs

    figure = graphs.Figure()
    for word, color in _COLORS.items():
        chosen = [_axis(each.values.get(name)) for each in outcomes if each.verdict == word]
        if chosen:
            figure.add_histogram(x=chosen, name=word, marker_color=color, nbinsx=20)
    figure.update_layout(barmode='stack', title=name, xaxis_title=name, yaxis_title='runs')
    return sized(figure)


def _points(outcomes: Sequence[Outcome], name: str | None, measure: str) -> Any:
    """Returns a scatter plot of a measure over one varied value, or over the run number."""
    import plotly.graph_objects as graphs

    figure = graphs.Figure()
    for word, color in _COLORS.items():
        chosen = [each for each in outcomes if each.verdict == word and measure in each.measures]
        if chosen:
            figure.add_scatter(
                x=[_axis(each.values.get(name)) if name else each.number for each in chosen],
                y=[each.measures[measure] for each in chosen],
                text=[f'run {each.number}' for each in chosen],
                mode='markers', name=word, marker_color=color,
            )  # fmt: skip
    figure.update_layout(
        title=f'{measure} over {name or "runs"}', xaxis_title=name or 'run', yaxis_title=measure
    )
    return sized(figure)


def _axis(value: object) -> Any:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _table(outcomes: Sequence[Outcome], folder: SweepFolder) -> str:
    """Returns the HTML table of runs, sorted so that failures come first."""
    ordered = sorted(outcomes, key=lambda each: (each.passed, each.number))[:_MOST_ROWS]
    head = ('run', 'verdict', 'values', 'measures', 'time', 'attempts', 'reason', 'kept')
    rows = ''.join(_row(each, folder) for each in ordered)
    table = f'<table><tr>{"".join(f"<th>{each}</th>" for each in head)}</tr>{rows}</table>'
    return table + _left_out('runs', len(outcomes), _MOST_ROWS)


def _row(outcome: Outcome, folder: SweepFolder) -> str:
    kept = folder.folder_of(outcome.number)
    place = html.escape(str(kept.relative_to(folder.path)))
    cells = (
        str(outcome.number),
        f'<b class="{outcome.verdict}">{outcome.verdict}</b>',
        _listed(outcome.values),
        _listed(outcome.measures),
        f'{outcome.time_s:.6g} s',
        str(outcome.attempts),
        f'<pre>{html.escape(outcome.reason)}</pre>',
        f'<a href="{place}">{place}</a>' if kept.exists() else '',
    )
    return f'<tr>{"".join(f"<td>{each}</td>" for each in cells)}</tr>'


def _listed(values: dict[str, Any]) -> str:
    return '<br>'.join(
        html.escape(f'{name} = {value:.6g}' if isinstance(value, float) else f'{name} = {value}')
        for name, value in values.items()
    )
