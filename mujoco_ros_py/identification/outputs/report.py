"""Writes the report of an identification as one HTML file."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path

import numpy as np

from ...sweep.report_page import page, plots
from ..result import Direction, FittedParameter, JudgedSequence, Result
from .report_plots import correlation_plot, interval_plot, signal_plots
from .written_numbers import half_width, rounded

_STYLE = """
.better { color: #2e7d4f } .worse, .warning { color: #b3261e } .bound { color: #9a6700 }
.summary { font-size: 17px } h2 { margin-top: 2.2rem } details { margin: .6rem 0 }
summary { cursor: pointer; font-weight: 600 } .wide > .plots > div { width: 100% }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
"""
_MOST_PLOTS = 60
_SAME = 1e-9
"""Errors whose ratio differs from 1 by less count as equal."""


def report_text(result: Result, model: str, files: Iterable[Path] = ()) -> str:
    """Returns the HTML of the report. `files` are the recordings, named in the title."""
    names = ', '.join(each.name for each in files)
    title = f'Identification of {Path(model).name}' + (f' from {names}' if names else '')
    parts = (
        _summary(result),
        _warnings(result.warnings),
        '<h2>Sequences</h2>' + _sequences(result.sequences),
        '<h2>Parameters</h2>' + _parameters(result.parameters),
        plots([interval_plot(result.parameters)]) if result.parameters else '',
        _directions(result.directions),
        _correlation(result),
        '<h2>Signals</h2>' + _signals(result),
    )
    return page(title, ''.join(parts), _STYLE)


def _summary(result: Result) -> str:
    """Returns the sentences that readers see first."""
    sentences = []
    for held_out, name in ((True, 'held-out'), (False, 'fitted')):
        chosen = [each for each in result.sequences if each.sequence.held_out is held_out]
        if chosen:
            before, after = _errors(chosen)
            word = 'falls' if after < before else 'rises' if after > before else 'stays'
            noun = 'sequence' if len(chosen) == 1 else 'sequences'
            sentences.append(
                f'Over {len(chosen)} {name} {noun}, the error {word} from'
                f' <b>{before:.3g}</b> to <b>{after:.3g}</b>.'
            )
    if not any(each.sequence.held_out for each in result.sequences):
        sentences.append('No sequence was held out, so no data judge the fitted model.')
    count = len(result.parameters)
    known = sum(each.identifiable for each in result.parameters)
    at_bound = sum(each.at_bound for each in result.parameters)
    sentences.append(f'The data determine {known} of {count} parameters; {at_bound} at a bound.')
    unit = 'Errors are root mean squares in units of the noise: 1 is a perfect model.'
    told = f'{result.iterations} iterations in {result.wall_s:.3g} s.'
    return f'<p class="summary">{" ".join(sentences)}</p><p>{unit} {told}</p>'


def _errors(chosen: Sequence[JudgedSequence]) -> tuple[float, float]:
    """Returns the errors of several sequences, weighted by their numbers of samples."""
    weights = [sum(len(trace.times) for trace in each.traces) or 1 for each in chosen]
    squares = np.array([[each.error_before, each.error_after] for each in chosen]) ** 2
    before, after = np.sqrt(np.average(squares, axis=0, weights=weights))
    return float(before), float(after)


def _warnings(warnings: Sequence[str]) -> str:
    items = ''.join(f'<li class="warning">{html.escape(each)}</li>' for each in warnings)
    return f'<h2>Warnings</h2><ul>{items}</ul>' if items else ''


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table; the cells are HTML."""
    top = ''.join(f'<th>{each}</th>' for each in head)
    lines = (f'<tr>{"".join(f"<td>{each}</td>" for each in row)}</tr>' for row in rows)
    return f'<table><tr>{top}</tr>{"".join(lines)}</table>'


def _sequences(sequences: Sequence[JudgedSequence]) -> str:
    ordered = sorted(sequences, key=lambda each: not each.sequence.held_out)
    rows = [
        (
            html.escape(each.sequence.name),
            'held out' if each.sequence.held_out else 'fitted',
            f'{each.sequence.end - each.sequence.begin:.3g} s',
            f'{each.error_before:.3g}',
            f'<b class="{_judged(each)}">{each.error_after:.3g}</b>',
        )
        for each in ordered
    ]
    return _table(('sequence', 'use', 'length', 'error before', 'error after'), rows)


def _judged(each: JudgedSequence) -> str:
    if each.error_after > each.error_before * (1 + _SAME):
        return 'worse'
    return 'better' if each.error_after < each.error_before * (1 - _SAME) else 'same'


def _parameters(parameters: Sequence[FittedParameter]) -> str:
    rows = [
        (
            html.escape(each.name),
            f'{each.before:.6g}',
            f'<b>{rounded(each.after, half_width(each)):.12g}</b>',
            _interval(each),
            f'{each.bounds[0]:.6g} to {each.bounds[1]:.6g}',
            html.escape(each.unit),
            _remark(each),
        )
        for each in parameters
    ]
    head = ('parameter', 'before', 'after', '95 % interval', 'bounds', 'unit', '')
    return _table(head, rows)


def _interval(each: FittedParameter) -> str:
    width = half_width(each)
    if not isfinite(width):
        return 'not determined'
    return f'{rounded(each.low, width):.8g} to {rounded(each.high, width):.8g}'


def _remark(each: FittedParameter) -> str:
    words = []
    if each.at_bound:
        words.append('<span class="bound">at its bound</span>')
    if not each.identifiable:
        words.append('<span class="warning">not apart from others</span>')
    return ', '.join(words)


def _directions(directions: Sequence[Direction]) -> str:
    if not directions:
        return ''
    items = ''.join(
        f'<li><b>{html.escape(_weighted(each))}</b><br>{html.escape(each.advice)}</li>'
        for each in directions
    )
    told = 'These changes, made together, have no visible effect on the measured signals:'
    return f'<h2>Parameters that the data cannot tell apart</h2><p>{told}</p><ul>{items}</ul>'


def _weighted(direction: Direction) -> str:
    """Returns ``elbow.damping +1, elbow.frictionloss -0.4``: largest weights first."""
    ordered = sorted(direction.weights.items(), key=lambda pair: -abs(pair[1]))
    return ', '.join(f'{name} {weight:+.2g}' for name, weight in ordered if weight)


def _correlation(result: Result) -> str:
    if len(result.parameters) < 2:
        return ''
    figure = correlation_plot([each.name for each in result.parameters], result.correlation)
    shown = plots([figure], first=False)
    return f'<h2>Correlation of the errors</h2><div class="wide">{shown}</div>'


def _signals(result: Result) -> str:
    """Returns the plots of the signals, held-out sequences first; the first is open."""
    ordered = sorted(result.sequences, key=lambda each: not each.sequence.held_out)
    left = _MOST_PLOTS
    parts: list[str] = []
    for number, judged in enumerate(ordered):
        traces = judged.traces[:left]
        left -= len(traces)
        if not traces:
            continue
        name = html.escape(judged.sequence.name)
        use = ' (held out)' if judged.sequence.held_out else ''
        shown = plots(signal_plots(traces, result.noise), first=not (parts or result.parameters))
        is_open = '' if number else ' open'
        parts.append(f'<details{is_open}><summary>{name}{use}</summary>{shown}</details>')
    count = sum(len(each.traces) for each in ordered)
    if count > _MOST_PLOTS:
        parts.append(f'<p>{_MOST_PLOTS} of {count} signals are shown.</p>')
    return ''.join(parts)
