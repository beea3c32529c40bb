"""Steps the worlds of a batch in threads, and handles worlds whose loop returns to Python."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike

from ...engine import Outcome, WorldPool
from ...errors import ConfigError, EndedError, SimulationError
from .data_fields import INPUTS, find_field
from .row_arrays import Array, Places, blank, input_rows, output_arrays
from .stepped_world import SteppedWorld

_CONTROLS = 'ctrl'
CLOSED = 'the batch is closed'


class WorldStepper:
    """Steps the worlds in threads, and keeps the addresses of each world's inputs and outputs."""

    def __init__(
        self, worlds: Sequence[SteppedWorld], record: Sequence[str], threads: int
    ) -> None:
        """Raises ConfigError for an unknown name in `record`."""
        self._worlds = worlds
        self._turn = threading.Lock()
        self._closed = False
        self._outputs = {name: Places(find_field(name, worlds[0]), worlds) for name in record}
        self._inputs: dict[str, Places] = {}
        self.failed: dict[int, str] = {}
        """The worlds that failed in the last run, with the reason."""
        self.warned: dict[int, str] = {}
        """The other worlds with a new MuJoCo warning in the last run, with the warning."""
        self._pool = WorldPool([world.loop for world in worlds], threads)

    @property
    def threads(self) -> int:
        """The number of threads."""
        return self._pool.threads

    @contextmanager
    def alone(self) -> Iterator[WorldStepper]:
        """Locks the worlds against other threads.

        Raises SimulationError if another thread uses them now, and EndedError if the batch is
        closed.
        """
        if not self._turn.acquire(blocking=False):
            raise SimulationError('the batch is in use: only one thread at a time can use it')
        try:
            if self._closed:
                raise EndedError(CLOSED)
            yield self
        finally:
            self._turn.release()

    def renew(self, world: SteppedWorld) -> None:
        """Looks up the addresses of a world again, after its data and plugins were replaced."""
        self._pool.renew(world.index, world.loop)
        for places in (*self._outputs.values(), *self._inputs.values()):
            places.renew(world)

    def run(
        self,
        controls: ArrayLike | None,
        inputs: Mapping[str, object] | None,
        rows: int | None,
        count: int,
        out: Mapping[str, Array] | None,
        *,
        single: bool,
    ) -> dict[str, Array]:
        """Runs `count` steps per row, and returns outputs of the shape (worlds, rows, ...).

        With `single`, there is one row, and inputs and `out` have no row axis. With a count of 0,
        the outputs are the current values. Raises ConfigError for arrays of other shapes.
        """
        given = dict(inputs or {})
        if controls is not None:
            if _CONTROLS in given:
                raise ConfigError('the controls are given twice: as controls and as inputs: ctrl')
            given[_CONTROLS] = controls
        arrays = {
            name: input_rows(self._input(name).field, value, len(self._worlds), single=single)
            for name, value in given.items()
        }
        made = _count_rows(arrays, 1 if single else rows)
        fields = [places.field for places in self._outputs.values()]
        outputs = output_arrays(fields, len(self._worlds), made, out, single=single)
        self._pool.begin(
            made,
            count,
            [self._input(name).rows(array) for name, array in arrays.items()],
            [self._outputs[name].rows(array) for name, array in outputs.items()],
        )
        self._step_all(made)
        for index in np.flatnonzero(self._pool.worlds['row'] < made).tolist():
            blank(outputs, index, int(self._pool.worlds['row'][index]))
        return outputs

    def close(self) -> None:
        """Waits until no other thread uses the worlds, and ends the stepping threads."""
        with self._turn:
            self._closed = True
            self._pool.close()

    def _input(self, name: str) -> Places:
        if name not in self._inputs:
            self._inputs[name] = Places(find_field(name, self._worlds[0], INPUTS), self._worlds)
        return self._inputs[name]

    def _step_all(self, rows: int) -> None:
        """Steps all worlds until each has made its rows or failed."""
        records = self._pool.worlds
        going = np.arange(len(self._worlds))
        self.failed, self.warned = {}, {}
        while len(going):
            self._pool.run(going)
            aside = going[records['outcome'][going] != Outcome.STEPPED].tolist()
            going = np.array([each for each in aside if self._goes_on(each, rows)], np.int64)

    def _goes_on(self, index: int, rows: int) -> bool:
        """Handles a world that returned to Python; returns whether it must be stepped further."""
        world, record = self._worlds[index], self._pool.worlds[index]
        if world.failure:
            return False
        before = world.warning
        if world.attend(int(record['outcome'])) and not record['left']:
            record['row'] -= 1  # this row was recorded after the invalid step
        if world.failure:
            self.failed[index] = world.failure
        elif world.warning != before:
            self.warned[index] = world.warning
        return not world.failure and bool(record['row'] < rows)


def _count_rows(arrays: Mapping[str, Array], rows: int | None) -> int:
    """Returns the number of rows. Raises ConfigError unless it is the same for all inputs."""
    told = {name: array.shape[1] for name, array in arrays.items()}
    if rows is not None:
        told['rows'] = rows
    if not told:
        raise ConfigError('without inputs, rows must be the number of rows to record')
    if len(set(told.values())) > 1:
        counts = ', '.join(f'{name}: {count}' for name, count in told.items())
        raise ConfigError(f'all inputs must have the same number of rows, got {counts}')
    count: int = next(iter(told.values()))
    if count < 1:
        raise ConfigError(f'rows must be at least 1, got {count}')
    return count
