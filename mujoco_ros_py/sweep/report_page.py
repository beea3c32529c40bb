"""The skeleton of reports: one HTML file with plots that needs no network."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem;
  padding: 0 1rem; color: #222 }}
table {{ border-collapse: collapse; width: 100%; font-size: 13px }}
td, th {{ border-bottom: 1px solid #ddd; padding: .3rem .6rem; text-align: left;
  vertical-align: top }}
pre {{ margin: 0; white-space: pre-wrap }} .plots {{ display: flex; flex-wrap: wrap }}
.plots > div {{ width: 50%; min-width: 24rem }} {style}
</style></head><body><h1>{title}</h1>{body}</body></html>
"""


def page(title: str, body: str, style: str = '') -> str:
    """Returns a page. The title is text; the body is HTML, and the style CSS."""
    return _PAGE.format(title=html.escape(title), body=body, style=style)


def plots(figures: Iterable[Any], *, first: bool = True) -> str:
    """Returns the HTML of plotly figures; the first plots of a page include plotly itself."""
    parts = (
        figure.to_html(full_html=False, include_plotlyjs=first and number == 0)
        for number, figure in enumerate(figures)
    )
    return f'<div class="plots">{"".join(f"<div>{each}</div>" for each in parts)}</div>'


def sized(figure: Any, height: int = 360) -> Any:
    """Gives a figure the size and the look of a report's plots, and returns it."""
    margin = {'l': 60, 'r': 20, 't': 50, 'b': 50}
    figure.update_layout(height=height, template='plotly_white', margin=margin)
    return figure
