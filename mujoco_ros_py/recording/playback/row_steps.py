"""Reads the states of a recording one by one, and compares them with repeated states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ...simulation import SavedState
from .. import (
    AFTER_STEP,
    HEAD,
    INPUTS,
    OWN,
    FoundRecord,
    RecordedRun,
    RowBlock,
    RowShape,
    Section,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedRow:
    """A recorded state."""

    section: Section
    numbers: np.ndarray[Any, np.dtype[np.float64]]

    @property
    def steps(self) -> int:
        """The number of steps since the start of the recording."""
        return int(self.numbers[0])

    @property
    def time(self) -> float:
        """The simulated time in seconds."""
        return float(self.numbers[HEAD])

    @property
    def after_step(self) -> bool:
        """Whether this is the state after a step; false for a state that was set before a step."""
        return bool(self.numbers[1] % 2 == AFTER_STEP)

    @property
    def inputs(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The inputs of the step: controls, applied forces and so on."""
        start = HEAD + self.section.shape.own
        return self.numbers[start : start + self.section.shape.inputs]

    @property
    def passive(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The passive forces of the step; empty without passive callbacks."""
        start = HEAD + self.section.shape.own + self.section.shape.inputs
        return self.numbers[start : start + self.section.shape.passive]

    @property
    def actuators(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The actuators' numbers in the step, for `set_actuators`; empty if none changes."""
        return self.numbers[self.section.shape.width - self.section.shape.actuators :]

    def follows(self, before: RecordedRow | None) -> bool:
        """Whether this state is exactly one step after `before`, in the same section."""
        return (
            before is not None
            and self.after_step
            and self.section is before.section
            and self.steps == before.steps + 1
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedRows:
    """Consecutive states in a section of a recording."""

    section: Section
    numbers: np.ndarray[Any, np.dtype[np.float64]]
    """The rows, of shape (states, width)."""

    @property
    def times(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The simulated times in seconds."""
        return self.numbers[:, HEAD]

    def __getitem__(self, place: int) -> RecordedRow:
        return RecordedRow(section=self.section, numbers=self.numbers[place])


def recorded_rows(
    run: RecordedRun, tell: Callable[[float], object] = lambda share: None
) -> Iterator[RecordedRow]:
    """Yields the states of a recording, in file order.

    `tell(share)` is called with the share of the file read so far, from 0 to 1.
    """
    for chunk in told_chunks(run, tell):
        for part in parts_of(run, chunk):
            if isinstance(part, RecordedRows):
                yield from (part[place] for place in range(len(part.numbers)))


def parts_of(
    run: RecordedRun, chunk: FoundRecord
) -> Iterator[RecordedRows | SavedState | Mapping[str, Any]]:
    """Yields the states, saved states and events of a chunk; earlier chunks must be read first."""
    for part in run.everything([chunk]):
        if not isinstance(part, RowBlock):
            yield part
            continue
        section = run.sections.get(part.section)
        if section is None or part.rows.shape[1] != section.shape.width:
            problem = f'states are skipped, because the start of their section {part.section} is'
            run.tell(f'{problem} not in the file')
            continue
        yield RecordedRows(section=section, numbers=part.rows)


def told_chunks(run: RecordedRun, tell: Callable[[float], object]) -> Iterator[FoundRecord]:
    """Yields the chunks, and calls `tell(share)` with the share of finished chunks."""
    chunks = run.chunks
    for count, chunk in enumerate(chunks):
        tell(count / len(chunks))
        yield chunk
    tell(1.0)


@dataclass(kw_only=True, slots=True)
class Comparison:
    """The result of a verification: counts of compared states, and the first difference."""

    states: int = 0
    """The number of compared states."""
    different: int = 0
    """The number of states that differ."""
    first: str = ''
    """A description of the first difference; empty if all states are equal."""
    gaps: int = 0
    """The number of states that could not be compared, because the file lacks the state before."""
    notes: list[str] = field(default_factory=list)
    """Messages about sections that were not repeated completely."""

    def add(self, model: mujoco.MjModel, row: RecordedRow, state: Any, *, inputs: bool) -> bool:
        """Compares a state with a row, bit by bit; returns whether they are equal.

        `state` has the results of a step, followed by its inputs if `inputs` is true.
        """
        end = HEAD + row.section.shape.own + (row.section.shape.inputs if inputs else 0)
        wanted = row.numbers[HEAD:end]
        self.states += 1
        (places,) = np.nonzero(wanted.view(np.int64) != state.view(np.int64))
        if not len(places):
            return True
        self.different += 1
        if not self.first:
            place = int(places[0])
            self.first = (
                f'after step {row.steps} at {row.time:.6g} s,'
                f' {place_name(model, row.section.shape, place)} was {float(wanted[place])!r} and'
                f' is {float(state[place])!r} ({len(places)} numbers differ)'
            )
        return False


def place_name(model: mujoco.MjModel, shape: RowShape, place: int) -> str:
    """Returns the name of the number at a place after the row's head, for example `qpos[3]`."""
    signature, rest = (OWN, place) if place < shape.own else (INPUTS, place - shape.own)
    for name, part in sorted(mujoco.mjtState.__members__.items(), key=lambda item: int(item[1])):
        if int(part).bit_count() == 1 and int(part) & signature:
            size = mujoco.mj_stateSize(model, int(part))
            if rest < size:
                return f'{name.removeprefix("mjSTATE_").lower()}[{rest}]'
            rest -= size
    return f'number {place}'
