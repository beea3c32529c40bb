"""The playback position of a shown recording, and the commands that control it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

_MOST_ANSWERS = 3


class ReplayClock:
    """The playback position in a recording, controlled by commands of the page."""

    def __init__(self, length_s: float, rate: float, *, loop: bool) -> None:
        """`rate` is the number of simulated seconds per second of wall time."""
        self.length_s, self.rate, self._loop = length_s, rate, loop
        self.position_s = 0.0
        self.paused = False
        self.step_s = 0.0
        """The simulated time between two states of the current section."""
        self.answers: deque[str] = deque(maxlen=_MOST_ANSWERS)
        """Messages about refused commands, newest last."""
        self._known: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            'run': self._run,
            'pause': lambda _: self._pause(),
            'step': lambda _: self._step(),
            'reset': lambda _: self._jump(0.0),
            'speed': self._set_rate,
            'jump': lambda message: self._jump(float(message['position'])),
        }

    def advance(self, wall_s: float) -> None:
        """Advances the position by `wall_s` of wall time; at the end, pauses or starts again."""
        if self.paused:
            return
        self.position_s += wall_s * self.rate
        if self.position_s < self.length_s:
            return
        self.position_s = 0.0 if self._loop else self.length_s
        self.paused = not self._loop

    def carry_out(self, message: Mapping[str, object]) -> None:
        """Carries out a command of the page; adds a message to `answers` if it is refused."""
        name = str(message.get('command'))[:40]
        known = self._known.get(name)
        if known is None:
            self.answers.append(f'{name}: a recording cannot be changed')
            return
        try:
            known(message)
        except (KeyError, TypeError, ValueError) as error:
            self.answers.append(f'{name}: {error}')

    def _run(self, _: Mapping[str, object]) -> None:
        if self.position_s >= self.length_s:
            self.position_s = 0.0
        self.paused = False

    def _pause(self) -> None:
        self.paused = True

    def _step(self) -> None:
        self.paused = True
        self._jump(self.position_s + self.step_s)

    def _jump(self, position_s: float) -> None:
        if not math.isfinite(position_s):
            raise ValueError(f'the position must be a number of seconds, got {position_s:g}')
        self.position_s = min(max(position_s, 0.0), self.length_s)

    def _set_rate(self, message: Mapping[str, Any]) -> None:
        rate = float(message['factor'])
        if not 0.0 < rate < math.inf:
            raise ValueError(f'the speed of a replay must be above 0, got {rate:g}')
        self.rate = rate
