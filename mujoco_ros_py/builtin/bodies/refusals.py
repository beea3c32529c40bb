"""Logs the messages that the plugins for bodies refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...config import unknown
from ...plugins import MujocoPlugin
from ..controllers.drive.command_report import CommandReport, Count
from .frame_table import FrameTable

_LONGEST_NAME = 64
"""How many bytes of an unknown frame name are kept for the log."""


def refusal_fields(faults: int) -> dict[str, Any]:
    """Returns the record fields in which compiled code counts refused messages, by fault."""
    wrong = np.zeros(_LONGEST_NAME, np.uint8)
    return {'faults': np.zeros(faults, int), 'wrong_frame': wrong, 'wrong_length': 0}


class Refusals:
    """Logs why compiled code refused messages, each reason at most once a second."""

    def __init__(
        self, plugin: MujocoPlugin[Any], frames: FrameTable, sentences: Sequence[str]
    ) -> None:
        """`sentences` describes each fault except the first, an unknown frame."""
        self._plugin, self._sentences = plugin, sentences
        self.frames = frames
        """The frames of the current model."""
        CommandReport(plugin, self._counts)

    def after(self, take: Callable[[], object]) -> str:
        """Calls `take`; returns why it refused the message, or an empty text."""
        before = self._faults.copy()
        take()
        grown = np.flatnonzero(self._faults > before)
        return self._sentence(int(grown[0])) if len(grown) else ''

    @property
    def _faults(self) -> Any:
        return self._plugin.state.faults

    def _counts(self) -> Iterator[Count]:
        for fault, number in enumerate(self._faults.tolist()):
            said = partial(self._sentence, fault)
            yield Count(reason=f'fault {fault}', place=fault, number=number, sentence=said)

    def _sentence(self, fault: int) -> str:
        state = self._plugin.state
        if fault:
            return f'a message was refused: {self._sentences[fault - 1]}'
        name = bytes(state.wrong_frame[: int(state.wrong_length)]).decode(errors='replace')
        return f'a message was refused: {unknown("frame", name, self.frames.names)}'
