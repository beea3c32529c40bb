"""The plots of the report of an identification."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from ...sweep.report_page import sized
from ..result import FittedParameter, Trace
from ..sequences import Source

_COLORS = {'measured': '#222222', 'before': '#d1495b', 'after': '#2e7d9e'}
_MOST_POINTS = 1500
_HEIGHT = 420
_UNITS = {'gyro': 'rad/s', 'accelerometer': 'm/s²', 'force': 'N', 'torque': 'N m'}


def interval_plot(parameters: Sequence[FittedParameter]) -> Any:
    """Returns the intervals relative to the fitted numbers, in percent; the widest first."""
    import plotly.graph_objects as graphs

    known = [each for each in parameters if each.after and isfinite(each.high - each.low)]
    ordered = sorted(known, key=_relative_width)
    figure = graphs.Figure()
    figure.add_bar(
        x=[_relative_width(each) for each in ordered],
        y=[_text(each.name) for each in ordered],
        orientation='h',
        marker_color=['#2e7d9e' if each.identifiable else '#d1495b' for each in ordered],
    )
    figure.update_layout(
        title='half of the 95 % interval, in percent of the number',
        xaxis={'type': 'log', 'title': '%'},
        yaxis={'automargin': True},
    )
    return sized(figure, max(240, 90 + 22 * len(ordered)))


def _relative_width(parameter: FittedParameter) -> float:
    return 50 * (parameter.high - parameter.low) / abs(parameter.after)


def correlation_plot(names: Sequence[str], correlation: Any) -> Any:
    """Returns the heat map of the correlations."""
    import plotly.graph_objects as graphs

    shown = [_text(each) for each in names]
    figure = graphs.Figure()
    figure.add_heatmap(
        z=np.round(np.asarray(correlation, dtype=float), 3).tolist(),
        x=shown, y=shown, zmin=-1, zmax=1, colorscale='RdBu', zmid=0,
    )  # fmt: skip
    figure.update_yaxes(autorange='reversed', automargin=True)
    figure.update_xaxes(automargin=True)
    return sized(figure, max(360, 140 + 22 * len(shown)))


def signal_plots(traces: Sequence[Trace], noise: Mapping[Source, float]) -> Iterator[Any]:
    """Yields a figure for each signal: the signal above, and its residuals below."""
    for trace in traces:
        yield _signal_plot(trace, noise.get(trace.source))


def _signal_plot(trace: Trace, noise: float | None) -> Any:
    from plotly.subplots import make_subplots

    chosen = _thinned(len(trace.times))
    times = np.asarray(trace.times)[chosen]
    figure = make_subplots(rows=2, shared_xaxes=True, row_heights=[0.65, 0.35])
    values = {'measured': trace.measured, 'before': trace.before, 'after': trace.after}
    for word, series in values.items():
        line = {'color': _COLORS[word], 'width': 1.5}
        shown = np.asarray(series)[chosen]
        figure.add_scatter(x=_short(times), y=_short(shown), name=word, line=line, row=1, col=1)
        if word != 'measured':
            rest = _short(shown - np.asarray(trace.measured)[chosen])
            figure.add_scatter(
                x=_short(times), y=rest, name=word, line=line, row=2, col=1, showlegend=False
            )
    if noise:
        for edge in (-2 * noise, 2 * noise):
            figure.add_hline(edge, row=2, col=1, line={'dash': 'dot', 'width': 1})
    figure.update_yaxes(title=_UNITS.get(trace.source.quantity, ''), row=1, col=1)
    figure.update_yaxes(title='residual', row=2, col=1)
    figure.update_xaxes(title='time in s', row=2, col=1)
    figure.update_layout(title=_text(label(trace.source)))
    return sized(figure, _HEIGHT)


def label(source: Source) -> str:
    """Returns the name of a signal, such as `elbow position` or `imu gyro y`."""
    vector = source.quantity not in ('position', 'velocity', 'effort')
    axis = f' {"xyz"[source.component]}' if vector and source.component < 3 else ''
    return f'{source.name} {source.quantity}{axis}'


def _thinned(count: int) -> slice:
    """Returns the samples to draw, so that pages of long recordings stay small."""
    return slice(None, None, max(1, -(-count // _MOST_POINTS)))


def _short(values: Any) -> list[float | None]:
    """Returns numbers with six digits, as they need less space; None where not finite."""
    return [float(f'{each:.6g}') if isfinite(each) else None for each in values]


def _text(name: str) -> str:
    """Returns a name for plotly, which understands some HTML."""
    return html.escape(name)
