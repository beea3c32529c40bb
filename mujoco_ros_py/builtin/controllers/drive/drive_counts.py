"""The counts of the compiled part of a drive, with the sentences that the log has for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ....plugins import State
from .command_report import Count, clamping, lateness, refusal


class DriveCounts:
    """Reads the counts of refused, late and limited commands in the record of a drive."""

    def __init__(self, joints: Sequence[str], interfaces: Sequence[str], state: State) -> None:
        self._joints, self._interfaces, self._state = joints, interfaces, state

    def __call__(self) -> Iterator[Count]:
        """Yields all counts with their present numbers; any thread may call this."""
        state = self._state
        refused, late = int(state.drive_refusals), int(state.drive_timeouts)
        yield Count(reason='refused', place=0, number=refused, sentence=self._refused)
        yield Count(reason='late', place=0, number=late, sentence=self._late)
        for k in range(len(self._joints)):
            clamps = int(state.drive[k]['clamps'])
            sentence = partial(self._clamped, k)
            yield Count(reason='clamped', place=k, number=clamps, sentence=sentence)

    def _refused(self) -> str:
        return refusal(self._joints, int(self._state.drive_refused_length))

    def _late(self) -> str:
        return lateness(self._joints, float(self._state.drive_timeout))

    def _clamped(self, k: int) -> str:
        row, kind = self._state.drive[k], self._interfaces[k]
        if kind == 'velocity':
            low, high = -row['max_velocity'], row['max_velocity']
        else:
            low, high = row[f'{kind}_low'], row[f'{kind}_high']
        return clamping(f'the {kind} of joint {self._joints[k]}', row['clamped'], low, high)
