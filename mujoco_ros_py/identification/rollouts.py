"""Simulates a sequence with several models, initial states and commands at once."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import mujoco
import numpy as np
from mujoco import rollout

from .sequences import Array, Commands, Goal

Indices = np.ndarray[Any, np.dtype[np.intp]]
_STATE = mujoco.mjtState.mjSTATE_FULLPHYSICS
_MOST_NUMBERS = 16_000_000
"""The most numbers of states that are in memory at once."""
_FOLLOWING = int(mujoco.mjtDyn.mjDYN_FILTER), int(mujoco.mjtDyn.mjDYN_FILTEREXACT)
"""The dynamics whose activation becomes the control."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Variant:
    """One simulation: a model, its state at the begin of a sequence, and a delay of commands."""

    model: mujoco.MjModel
    positions: Array
    """The positions of all joints (`qpos`)."""
    velocities: Array
    """The velocities of all joints (`qvel`)."""
    delay: float = 0.0
    """The delay of commands in s."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Simulated:
    """The states and sensors of one simulation.

    MuJoCo computes sensors at the begin of a step, so sensors have one row less.
    """

    times: Array
    """The times of the states in s since the start of the recording, the initial one included."""
    positions: Array
    """`qpos`, one row for each time."""
    velocities: Array
    """`qvel`, one row for each time."""
    sensors: Array
    """`sensordata`, one row for each time but the last."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class MeasuredPart:
    """The input of a simulation. A part equals only itself."""

    begin: float
    end: float
    commands: tuple[Commands, ...]
    goals: tuple[Goal, ...]

    def steps(self, step: float) -> int:
        """Returns the number of steps that reach the end."""
        return max(math.ceil(round((self.end - self.begin) / step, 6)), 1)


Job = tuple[Variant, MeasuredPart]
"""One simulation of a part of a recording."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredJoints:
    """The joints whose positions are measured."""

    names: tuple[str, ...]
    qpos: Indices
    """The addresses of their positions in `qpos`."""
    dofs: Indices
    """The addresses of their velocities in `qvel`."""

    def copied(self, model: mujoco.MjModel, source: Array, target: Array) -> Array:
        """Copies the states of these joints from rows of states to others."""
        found: Array = target.copy()
        found[:, 1 + self.qpos] = source[:, 1 + self.qpos]
        found[:, 1 + model.nq + self.dofs] = source[:, 1 + model.nq + self.dofs]
        return found


class Controls:
    """The controls of a model during a sequence, from commands that hold until the next."""

    def __init__(self, model: mujoco.MjModel, commands: Sequence[Commands]) -> None:
        self._size = model.nu
        self._commands = [
            ([model.actuator(name).id for name in each.actuators], each) for each in commands
        ]

    def over(self, begin: float, step: float, count: int, delay: float) -> Array:
        """Returns the controls of `count` steps, one row for each step.

        A control is the mean of the delayed commands during its step. A command that changes in a
        step thus acts for its part of the step, and the result is continuous in the delay.
        """
        rows = np.zeros((count, self._size))
        edges = np.asarray(begin + step * np.arange(count + 1) - delay, np.float64)
        for places, each in self._commands:
            rows[:, places] = _means(each.times, each.values, edges)
        return rows


def _means(times: Array, values: Array, edges: Array) -> Array:
    """Returns the means of held values between edges; the first value holds before its time."""
    knots = np.concatenate(
        [[min(edges[0], times[0]) - 1.0], times[1:], [max(edges[-1], times[-1]) + 1.0]]
    )
    areas = np.vstack(
        [np.zeros(values.shape[1]), np.cumsum(values * np.diff(knots)[:, None], axis=0)]
    )
    found = np.column_stack([np.interp(edges, knots, column) for column in areas.T])
    means: Array = np.diff(found, axis=0) / np.diff(edges)[:, None]
    return means


class Simulator(Protocol):
    """Simulates variants of pieces."""

    def run(self, jobs: Sequence[Job]) -> Iterable[Simulated]:
        """Yields the simulation of each job."""


class OpenLoop:
    """Simulates commands of actuators, on all cores and without plugins."""

    def __init__(self, measured: MeasuredJoints, settle: float = 0.0) -> None:
        self._measured, self._settle = measured, settle
        self._data: list[mujoco.MjData] = []
        self._controls: dict[tuple[MeasuredPart, float, int], Array] = {}
        """The controls of the last call by part, delay and number of steps."""

    def run(self, jobs: Sequence[Job]) -> Iterable[Simulated]:
        """Yields the simulation of each job."""
        model = jobs[0][0].model
        longest = max(part.steps(float(model.opt.timestep)) for _, part in jobs)
        at_once = max(_MOST_NUMBERS // (longest * (model.nq + model.nv + 1)), 1)
        for begin in range(0, len(jobs), at_once):
            yield from self._run(jobs[begin : begin + at_once])

    def _run(self, jobs: Sequence[Job]) -> list[Simulated]:
        first, step = jobs[0][0].model, float(jobs[0][0].model.opt.timestep)
        if not self._data:
            threads = len(os.sched_getaffinity(0))
            self._data = [mujoco.MjData(first) for _ in range(threads)]
        counts = [part.steps(step) for _, part in jobs]
        inputs = self._inputs(first, jobs, max(counts))
        models = [variant.model for variant, _ in jobs]
        starts = np.stack([self._start(job[0], inputs[k, 0]) for k, job in enumerate(jobs)])
        if before := round(self._settle / step):
            held = np.repeat(inputs[:, :1], before, axis=1)
            settled, _ = rollout.rollout(models, self._data, starts, held)
            starts = self._measured.copied(first, starts, settled[:, -1])
        states, sensors = rollout.rollout(models, self._data, starts, inputs)
        states = np.concatenate([starts[:, None], states], axis=1)
        return [
            simulated(first, part.begin, states[k, : counts[k] + 1], sensors[k, : counts[k]])
            for k, (_, part) in enumerate(jobs)
        ]

    def _inputs(self, model: mujoco.MjModel, jobs: Sequence[Job], count: int) -> Array:
        """Returns the controls of each job."""
        given: dict[tuple[MeasuredPart, float, int], Array] = {}
        for variant, part in jobs:
            key = part, variant.delay, count
            if key not in given:
                found = self._controls.get(key)
                if found is None:
                    controls, step = Controls(model, part.commands), float(model.opt.timestep)
                    found = controls.over(part.begin, step, count, variant.delay)
                given[key] = found
        self._controls = given
        return np.stack([given[part, variant.delay, count] for variant, part in jobs])

    def _start(self, variant: Variant, control: Array) -> Array:
        """Returns the whole initial state, with the activations of a constant control."""
        model, data = variant.model, self._data[0]
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = variant.positions, variant.velocities
        for actuator in range(model.nu):
            place = int(model.actuator_actadr[actuator])
            if place >= 0 and model.actuator_dyntype[actuator] in _FOLLOWING:
                data.act[place] = control[actuator]
        state = np.empty(mujoco.mj_stateSize(model, _STATE))
        mujoco.mj_getState(model, data, state, _STATE)
        return state


def simulated(model: mujoco.MjModel, begin: float, states: Array, sensors: Array) -> Simulated:
    """Splits the rows of states of one simulation."""
    middle, end = 1 + model.nq, 1 + model.nq + model.nv
    times: Array = np.asarray(begin + float(model.opt.timestep) * np.arange(len(states)))
    return Simulated(
        times=times,
        positions=states[:, 1:middle],
        velocities=states[:, middle:end],
        sensors=sensors,
    )
