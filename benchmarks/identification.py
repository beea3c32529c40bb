"""The wall time of fitting an arm to its motion, relative to `mujoco.sysid` alone."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from typing import Any

import mujoco
import numpy as np

from .processes import FOLDER
from .rounds import LeftOutError, Rounds

try:
    from mujoco import sysid

    from mujoco_ros_py.identification.adjustable_model import AdjustableModel
    from mujoco_ros_py.identification.optimiser import solve
    from mujoco_ros_py.identification.parameter import Parameter
    from mujoco_ros_py.identification.prepared import SignalReader, measured_joints, prepared
    from mujoco_ros_py.identification.priors import Weighing
    from mujoco_ros_py.identification.problem import Problem
    from mujoco_ros_py.identification.rollouts import OpenLoop
    from mujoco_ros_py.identification.sequences import Commands, Sequence, Signal, Source
except ImportError as error:
    raise LeftOutError(str(error)) from error

_ARM = FOLDER.parent / 'examples' / 'arm.xml'
_LENGTH_S, _PIECE_S, _STEP_S = 30.0, 1.0, 0.004
_NOISE, _WRONG = 1e-5, (0.8, 1.25)
"""The noise of encoders in rad, and the range of the factors by which the values are wrong."""
_TOLERANCE, _EPSILON, _ITERATIONS = 1e-3, 1e-4, 20
_DAMPING = {'mu_min': 1e-3, 'mu_max': 1e8, 'mu_factor': 3.0}
_AGREE = 1e-3
"""The largest relative difference between the values of both."""


def measure() -> Rounds:
    """Fits damping and friction loss of the seven joints to 30 s, with both in turn.

    Both solve the same problem from the same values, with the same optimiser, bounds and
    tolerance. The motion is cut into pieces of one second with known initial states.
    `mujoco.sysid` simulates all pieces for all columns of the Jacobian at once. Asserts that both
    find the same values.
    """
    arm = _Motion()
    for order in cycle([(0, 1), (1, 0)]):
        seconds, found = [0.0, 0.0], [arm.initial, arm.initial]
        for place in order:
            begin = time.perf_counter()
            found[place] = (_ours, _theirs)[place](arm)
            seconds[place] = time.perf_counter() - begin
        assert np.allclose(*found, rtol=_AGREE)
        yield seconds[0], seconds[1]


class _Motion:
    """What the arm does under torques of a controller that follows sums of sines."""

    def __init__(self) -> None:
        self.spec = mujoco.MjSpec.from_file(str(_ARM))
        self.spec.option.timestep = _STEP_S
        model = self.spec.compile()
        self.joints = [model.joint(k).name for k in range(model.njnt)]
        chance = np.random.default_rng(1)
        truth = np.concatenate([model.dof_damping.ravel(), model.dof_frictionloss.ravel()])
        self.initial = truth * chance.uniform(*_WRONG, truth.shape)
        self.names = [f'{j}.{what}' for what in ('damping', 'frictionloss') for j in self.joints]
        self.bounds = 0.2 * self.initial, 5.0 * self.initial
        steps = round(_LENGTH_S / _STEP_S)
        self.times = _STEP_S * np.arange(steps + 1)
        amplitudes, rates, phases = (
            chance.uniform(low, high, (5, model.nq))
            for low, high in ((0.05, 0.2), (0.5, 6.0), (0.0, 6.0))
        )
        data, reach = mujoco.MjData(model), model.actuator_ctrlrange[:, 1]
        states, self.torques = [], np.empty((steps + 1, model.nu))
        for row, moment in zip(self.torques, self.times, strict=True):
            goal = (amplitudes * np.sin(rates * moment + phases)).sum(axis=0)
            row[:] = np.clip(reach * (4.0 * (goal - data.qpos) - 0.4 * data.qvel), -reach, reach)
            states.append([*data.qpos, *data.qvel])
            data.ctrl[:] = row
            mujoco.mj_step(model, data)
        self.states = np.array(states)
        self.measured = self.states[:, : model.nq]
        self.measured = self.measured + chance.normal(0.0, _NOISE, self.measured.shape)
        self.weights = 1.0 / np.std(self.measured, axis=0)
        rows = round(_PIECE_S / _STEP_S)
        self.pieces = [slice(k, k + rows + 1) for k in range(0, steps, rows)]
        """The rows of each piece, both ends included."""


def _ours(arm: _Motion) -> np.ndarray:
    """Returns the values that this package finds."""
    model = AdjustableModel(_ARM)
    model.root.option.timestep = _STEP_S
    sources = [Source(quantity='position', name=joint) for joint in arm.joints]
    model.add_sensors(sources)
    sequences = [_sequence(arm, rows, sources) for rows in arm.pieces]
    joints = measured_joints(model.model, sequences)
    parts = []
    for sequence, rows in zip(sequences, arm.pieces, strict=True):
        positions, velocities = np.split(arm.states[rows.start], 2)
        part = prepared(sequence, joints, _STEP_S)
        parts.append(replace(part, positions=positions, velocities=velocities))
    parameters = [
        Parameter(
            name=name, effect='attribute', targets=(f'joint:{name}',), initial=value,
            bounds=(low, high),
        )
        for name, value, low, high in zip(arm.names, arm.initial, *arm.bounds, strict=True)
    ]  # fmt: skip
    reader = SignalReader(model.model, sources)
    problem = Problem(model, parameters, parts, joints, OpenLoop(joints), reader, starts=False)
    weights = dict(zip(sources, arm.weights, strict=True))
    problem.weighing = Weighing(signals=weights, rest=0.0)
    x = solve(
        problem, problem.coordinates(arm.initial), tolerance=_TOLERANCE, least_gain=0.0,
        iterations=_ITERATIONS, report=lambda _: None,
    )  # fmt: skip
    return np.array(problem.values(x))


def _sequence(arm: _Motion, rows: slice, sources: list[Source]) -> Sequence:
    times = arm.times[rows]
    signals = tuple(
        Signal(source=source, times=times[1:], values=column[1:], topic='/joint_states')
        for source, column in zip(sources, arm.measured[rows].T, strict=True)
    )
    commands = Commands(
        actuators=tuple(arm.joints), times=times, values=arm.torques[rows], topic='/commands'
    )
    return Sequence(name='', begin=times[0], end=times[-1], signals=signals, commands=(commands,))


def _theirs(arm: _Motion) -> np.ndarray:
    """Returns the values that `mujoco.sysid` alone finds."""
    spec = arm.spec.copy()
    model = spec.compile()
    measured = [_trajectory(model, arm, rows) for rows in arm.pieces]
    size = np.maximum(arm.initial, 0.05 * (arm.bounds[1] - arm.bounds[0]))  # as `Parameter.size`
    unknowns = sysid.ParameterDict()
    for name, each, *numbers in zip(arm.names, size, arm.initial, *arm.bounds, strict=True):
        scaled = [number / each for number in numbers]
        unknowns.add(sysid.Parameter(name, *scaled, modifier=_modifier(name, each)))

    def residual(x: Any, params: Any) -> Any:
        found, predicted, records = sysid.model_residual(
            x, params, lambda given: sysid.apply_param_modifiers(given, spec), measured,
            modify_residual=weighted, resample_true=False,
        )  # fmt: skip
        # The columns are all pieces for the first point, then all for the next.
        points = 1 if x.ndim == 1 else x.shape[1]
        return [found.T.reshape(points, -1).T], predicted, records

    def weighted(*given: Any, state: Any) -> Any:
        _, _, record, model, _ = given
        positions = sysid.TimeSeries(state[:, 0], state[:, 1 : 1 + model.nq])
        predicted = positions.resample(record.times)
        return (predicted.data - record.data) * arm.weights, predicted, record

    found, _ = sysid.optimize(
        unknowns, residual, verbose=False, max_iters=_ITERATIONS, xtol=_TOLERANCE, eps=_EPSILON,
        output=io.StringIO(), **_DAMPING,
    )  # fmt: skip
    return found.as_vector() * size


def _trajectory(model: Any, arm: _Motion, rows: slice) -> sysid.SystemTrajectory:
    times = arm.times[rows]
    return sysid.SystemTrajectory(
        model=model,
        control=sysid.TimeSeries(times, arm.torques[rows]),
        sensordata=sysid.TimeSeries(times[1:], arm.measured[rows][1:]),
        initial_state=np.array([times[0], *arm.states[rows.start]]),
        state=None,
    )


def _modifier(name: str, size: float) -> Callable[[Any, Any], None]:
    """Returns a function that sets an attribute of a joint in a specification."""
    joint, attribute = name.split('.')

    def modify(spec: Any, parameter: Any) -> None:
        value = parameter.value[0] * size
        setattr(spec.joint(joint), attribute, [value, 0, 0] if attribute == 'damping' else value)

    return modify
