"""Draws diagrams: boxes with text, and arrows between boxes. Lengths are in inches."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

BLUE, GREEN, ORANGE, GREY, RED = '#dbe9f6', '#dff0d8', '#fde8d0', '#eeeeee', '#f8dada'
INK, PALE = '#24292f', '#6a737d'
DPI = 110


class Board:
    """A white drawing area with the origin at the bottom left."""

    def __init__(self, width: float, height: float) -> None:
        self.figure = Figure((width, height), dpi=DPI)
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height))
        self.axes.axis('off')

    def box(
        self, x: float, y: float, text: str, *,
        width: float = 1.9, height: float = 0.6, color: str = BLUE, size: float = 10,
    ) -> FancyBboxPatch:  # fmt: skip
        """Draws a box around a centre; the first line of the text is bold."""
        style = 'round,pad=0,rounding_size=0.08'
        corner = x - width / 2, y - height / 2
        box = FancyBboxPatch(corner, width, height, style, facecolor=color, edgecolor=PALE)
        self.axes.add_patch(box)
        title, _, rest = text.partition('\n')
        lines = rest.count('\n') + 1 if rest else 0
        step = size * 1.35 / 72
        self.text(x, y + lines * step / 2, title, size=size, weight='bold')
        if rest:
            self.text(x, y - step / 2, rest, size=size - 1)
        return box

    def text(self, x: float, y: float, text: str, *, size: float = 10, **more: Any) -> None:
        """Draws text around a centre."""
        given = {'ha': 'center', 'va': 'center', 'color': INK, 'linespacing': 1.3, **more}
        self.axes.text(x, y, text, size=size, **given)

    def arrow(
        self, start: Any, end: Any, text: str = '', *,
        bend: float = 0.0, at: tuple[float, float] | None = None, both: bool = False,
    ) -> None:  # fmt: skip
        """Draws an arrow between two boxes or points; `at` is the position of the text."""
        boxes = [each if isinstance(each, FancyBboxPatch) else None for each in (start, end)]
        ends = [_centre(each) if each in boxes else each for each in (start, end)]
        style = '<|-|>' if both else '-|>'
        arrow = FancyArrowPatch(
            *ends, arrowstyle=f'{style},head_length=5,head_width=2.5', color=INK, linewidth=1.1,
            patchA=boxes[0], patchB=boxes[1], shrinkA=2, shrinkB=2,
            connectionstyle=f'arc3,rad={bend}',
        )  # fmt: skip
        self.axes.add_patch(arrow)
        if text:
            x, y = at or [(first + second) / 2 for first, second in zip(*ends, strict=True)]
            back = {'facecolor': 'white', 'edgecolor': 'none', 'pad': 1.5}
            self.text(x, y, text, size=9, bbox=back)


def _centre(box: FancyBboxPatch) -> tuple[float, float]:
    return box.get_x() + box.get_width() / 2, box.get_y() + box.get_height() / 2
