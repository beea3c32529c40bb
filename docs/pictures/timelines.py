"""Diagrams of events over time."""

from __future__ import annotations

from itertools import pairwise

from matplotlib.figure import Figure

from .board import BLUE, GREEN, GREY, ORANGE, PALE, Board


def lockstep() -> Figure:
    """Draws two control periods of a simulation and a controller, and their messages."""
    board = Board(9.2, 3.3)
    board.text(0.15, 2.5, 'simulation', ha='left', weight='bold')
    board.text(0.15, 0.8, 'controller', ha='left', weight='bold')
    for number, x in enumerate((1.75, 5.35)):
        time = f'{2 * number} ms'
        state = board.box(x, 2.5, f'state\nof {time}', color=BLUE, width=0.95)
        waits = board.box(x + 1.05, 2.5, 'waits', color=GREY, width=0.8)
        steps = board.box(x + 2.35, 2.5, 'steps\nfor this period', color=GREEN, width=1.35)
        answer = board.box(x + 0.8, 0.8, f'command\nstamp {time}', color=ORANGE, width=1.15)
        board.arrow(state, answer, 'joint_states', at=(x - 0.1, 1.6))
        board.arrow(answer, steps, 'answer', at=(x + 1.85, 1.6))
        for before, after in pairwise((state, waits, steps)):
            board.arrow(before, after)
    board.text(4.6, 3.1, 'The simulation steps after each answer', size=11, weight='bold')
    return board.figure


def real_time() -> Figure:
    """Draws steps that are due every millisecond, and the lateness of their start."""
    board = Board(9.2, 2.5)
    board.text(4.6, 2.25, 'Lateness: the delay between due time and start of a step', size=11,
               weight='bold')  # fmt: skip
    for number, late in enumerate((0.1, 0.15, 0.75, 0.12)):
        x = 1.2 + 2.1 * number
        board.axes.plot((x, x), (0.45, 1.6), color=PALE, linestyle='--', linewidth=1)
        board.text(x, 0.25, f'due at {number} ms', size=9)
        board.box(x + late + 0.35, 1.0, 'step', color=GREEN, width=0.7)
        if late > 0.5:
            board.arrow((x, 1.5), (x + late, 1.5), both=True)
            board.text(x + late + 0.1, 1.72, 'late', size=9)
    return board.figure
