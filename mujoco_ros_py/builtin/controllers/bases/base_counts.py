"""The counts of the compiled part of a base, with the sentences that the log has for them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ....plugins import State
from ..drive.command_report import Count, clamping

AXES = ('linear.x', 'linear.y', 'angular.z')


class BaseCounts:
    """Reads the counts of refused, late and limited velocities in the record of a base."""

    def __init__(self, state: State) -> None:
        self._state = state

    def __call__(self) -> Iterator[Count]:
        """Yields all counts with their present numbers; any thread may call this."""
        state = self._state
        told = (
            ('not finite', state.refusals, self._refused),
            ('stale', state.stales, self._stale),
            ('ahead', state.aheads, self._ahead),
            ('late', state.lates, self._late),
        )
        for reason, number, sentence in told:
            yield Count(reason=reason, place=0, number=int(number), sentence=sentence)
        for k, axis in enumerate(AXES):
            number, sentence = int(state.axes[k]['clamps']), partial(self._clamped, k, axis)
            yield Count(reason='clamped', place=k, number=number, sentence=sentence)

    def _refused(self) -> str:
        return 'a velocity must have finite numbers; one that has not is refused as a whole'

    def _stale(self) -> str:
        age, timeout = float(self._state.stale_age), float(self._state.timeout)
        return (
            f'a velocity is refused, as its stamp is {age:g} s old: cmd_vel_timeout is {timeout:g}'
            ' s'
        )

    def _ahead(self) -> str:
        return (
            f'the stamp of a velocity is {float(self._state.ahead_by):g} s ahead of the clock,'
            ' and counts as now: use_sim_time may be missing where it comes from'
        )

    def _late(self) -> str:
        return f'no velocity has come for {float(self._state.timeout):g} s: the base brakes'

    def _clamped(self, k: int, axis: str) -> str:
        row = self._state.axes[k]
        return clamping(f'{axis} of a velocity', row['clamped'], row['min_velocity'],
                        row['max_velocity'])  # fmt: skip
