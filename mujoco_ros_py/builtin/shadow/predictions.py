"""Predicts measured states from earlier ones, with the covariance of the errors."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from mujoco import rollout

from .known_uncertainty import Uncertainty
from .measurements import Measured
from .model_numbers import Number, changed
from .recorded_steps import Steps
from .shadow_config import MeasuredNoise

Array = np.ndarray[Any, np.dtype[np.float64]]
Changes = list[tuple[Number, float]]
_STATE = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
_CONTROL = int(
    mujoco.mjtState.mjSTATE_CTRL
    | mujoco.mjtState.mjSTATE_QFRC_APPLIED
    | mujoco.mjtState.mjSTATE_XFRC_APPLIED
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A variation of a prediction."""

    state: Array | None = None
    """Added to the followed positions and velocities at the begin."""
    effort: Array | None = None
    """Added to the efforts of the followed joints."""
    force: tuple[int, Array] | None = None
    """A body, and a force at its centre in the axes of the world."""
    shift_s: float = 0.0
    """Added to the times of the controls."""
    changes: Sequence[tuple[Number, float]] = ()
    """Changes of the model."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Prediction:
    """A measured state against its prediction: positions of the joints, then velocities.

    Velocities from differences of positions are means, which are not compared.
    """

    residual: Array
    covariance: Array
    effects: list[Array]
    """The change of the prediction by a unit of each hypothesis, with one column per number."""


class Predictor:
    """Predictions with a copy of a model, without the callbacks of plugins.

    To first order, the residual of a correct model is normally distributed with a mean of 0 and
    the covariance of a prediction: the sum of the effects of the noise of both measured states,
    of the time of the controls, of efforts outside the model, and of the fitted parameters.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        joints: Sequence[int],
        names: Sequence[str],
        noise: MeasuredNoise,
        known: Uncertainty,
        timing_s: float,
    ) -> None:
        """`joints` are ids of the followed joints; `names` are their names in messages."""
        self._model = copy.copy(model)
        self._data = copy.copy(data)
        self._qpos, self._dofs = model.jnt_qposadr[joints], model.jnt_dofadr[joints]
        self._count = len(joints)
        deviations = [
            [known.noise.get((kind, name), getattr(noise, kind)) for name in names]
            for kind in ('position', 'velocity')
        ]
        self._positions, self._velocities = np.array(deviations)
        self._effort, self._timing, self._known = noise.effort, timing_s, known

    def predict(
        self, first: Measured, last: Measured, steps: Steps, hypotheses: Sequence[Sequence[Run]]
    ) -> Prediction:
        """Predicts the last state from the first, and from the controls of the recorded steps.

        Each hypothesis is a list of variations, one for each of its numbers.
        """
        begins = self._deviations(first)
        runs = [Run()]
        runs += [Run(state=column) for column in np.diag(begins)]
        if self._timing:
            runs += [Run(shift_s=shift) for shift in (-self._timing, self._timing)]
        if self._effort:
            runs += [Run(effort=self._effort * column) for column in np.eye(self._count)]
        fitted, own = [Run(changes=each) for each in self._known.changes], len(runs)
        units = [run for hypothesis in hypotheses for run in hypothesis]
        judged = self._count if last.span else 2 * self._count
        ends = self._ends([*runs, *fitted, *units], first, last, steps)[:, :judged]
        nominal, effects = ends[0], ends[1:] - ends[0]
        if self._timing:  # each of the two directions counts half
            late = slice(begins.size, begins.size + 2)
            effects[late] /= np.sqrt(2.0)
        columns, of_fit = effects[: own - 1].T, effects[own - 1 : own - 1 + len(fitted)].T
        covariance = columns @ columns.T + of_fit @ self._known.correlation @ of_fit.T
        covariance += np.diag(self._deviations(last)[:judged] ** 2)
        left, found = effects[own - 1 + len(fitted) :], []
        for hypothesis in hypotheses:
            found.append(left[: len(hypothesis)].T)
            left = left[len(hypothesis) :]
        measured = np.concatenate([last.positions, last.velocities])[:judged]
        return Prediction(residual=measured - nominal, covariance=covariance, effects=found)

    def _deviations(self, measured: Measured) -> Array:
        """Returns the standard deviations of a measured state."""
        velocities = self._velocities
        if measured.span:
            velocities = np.sqrt(2.0) * self._positions / measured.span
        return np.concatenate([self._positions, velocities])

    def _ends(self, runs: Sequence[Run], first: Measured, last: Measured, steps: Steps) -> Array:
        """Returns the followed positions and velocities at the end of each variation.

        Variations with the model as it is run together, as this is faster.
        """
        plain = [index for index, run in enumerate(runs) if not run.changes]
        groups = [plain, *([index] for index, run in enumerate(runs) if run.changes)]
        ends = np.empty((len(runs), 2 * self._count))
        for group in filter(None, groups):
            changes = list(runs[group[0]].changes)
            with changed(self._model, changes) if changes else nullcontext():
                ends[group] = self._group_ends([runs[k] for k in group], first, last, steps)
        return ends

    def _group_ends(
        self, runs: Sequence[Run], first: Measured, last: Measured, steps: Steps
    ) -> Array:
        step_s = self._model.opt.timestep
        length = last.stamp - first.stamp
        count = max(int(np.ceil(length / step_s - 1e-9)), 1)
        states = np.array([self._begin(run, first, steps) for run in runs])
        controls = np.array([self._controls(run, first.time, count, steps) for run in runs])
        found, _ = rollout.rollout(
            self._model, self._data, states, controls, control_spec=_CONTROL, nstep=count
        )
        before = found[:, -2] if count > 1 else states
        part = length / step_s - (count - 1)
        ends = before + part * (found[:, -1] - before)
        followed: Array = ends[:, 1 + np.concatenate([self._qpos, self._model.nq + self._dofs])]
        return followed

    def _begin(self, run: Run, first: Measured, steps: Steps) -> Array:
        row = steps.row_at(first.time)
        data = self._data
        data.time = first.time
        data.qpos, data.qvel = steps.qpos[row], steps.qvel[row]
        data.act = steps.act[row]
        change = np.zeros(2 * self._count) if run.state is None else run.state
        data.qpos[self._qpos] = first.positions + change[: self._count]
        data.qvel[self._dofs] = first.velocities + change[self._count :]
        state = np.empty(mujoco.mj_stateSize(self._model, _STATE))
        mujoco.mj_getState(self._model, data, state, _STATE)
        return state

    def _controls(self, run: Run, begin: float, count: int, steps: Steps) -> Array:
        model = self._model
        times = begin + run.shift_s + (np.arange(count) + 0.5) * model.opt.timestep
        rows = [steps.row_at(time) for time in times]
        applied = steps.applied[rows]
        if run.effort is not None:
            applied[:, self._dofs] += run.effort
        forces = np.zeros((count, model.nbody, 6))
        if run.force is not None:
            body, force = run.force
            forces[:, body, :3] = force
        return np.hstack([steps.ctrl[rows], applied, forces.reshape(count, -1)])
