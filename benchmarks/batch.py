"""World-steps per second of a batch with a controller, over those of `mujoco.rollout`."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

import mujoco
import numpy as np
from mujoco import rollout

from mujoco_ros_py.batch import Batch

from .plugins import Brake
from .processes import FOLDER
from .result import Result

_WORLDS = 64
_STEPS = 150
_ROUNDS = 15
_RECORD = 'time', 'qpos', 'qvel', 'sensordata', 'ctrl'


def measure(name: str, limit: float) -> Result:
    """Measures both in turn, from the same states; the rollout is given the batch's controls.

    The rollout returns the same states, which a comparison makes sure of.
    """
    path = FOLDER / 'humanoid.xml'
    model = mujoco.MjModel.from_xml_path(str(path))
    threads = len(os.sched_getaffinity(0))
    positions = _positions(model)
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    with (
        Batch(path, [Brake], worlds=_WORLDS, record=_RECORD, threads=threads) as batch,
        rollout.Rollout(nthread=threads) as bare,
    ):
        batch.reset(qpos=positions)
        begin = _states(batch, kind)
        made = batch.rollout(rows=_STEPS)
        controls = made['ctrl'].copy()
        data = [mujoco.MjData(model) for _ in range(threads)]
        states, sensors = bare.rollout(model, data, begin, controls)
        first = 1 + model.nq
        assert np.array_equal(states[:, :, 1:first], made['qpos'])

        def ours() -> float:
            batch.reset(qpos=positions)
            return _time(lambda: batch.rollout(rows=_STEPS, out=made))

        def theirs() -> float:
            return _time(
                lambda: bare.rollout(
                    model, data, begin, controls, state=states, sensordata=sensors
                )
            )

        rounds = [(theirs(), ours()) for _ in range(_ROUNDS)]
    steps = _WORLDS * _STEPS
    bare_hz, batch_hz = (steps / statistics.median(each[k] for each in rounds) for k in (0, 1))
    measured = f'{batch_hz / 1e3:.1f} thousand a second against {bare_hz / 1e3:.1f}'
    ratio = statistics.median(without / with_ for without, with_ in rounds)
    return Result(name=name, ratio=ratio, rule='at least', limit=limit, measured=measured)


def _positions(model: mujoco.MjModel) -> np.ndarray:
    """Returns positions that differ from world to world."""
    chance = np.random.default_rng(1)
    positions = np.tile(model.qpos0, (_WORLDS, 1))
    positions[:, 7:] += chance.uniform(-0.3, 0.3, (_WORLDS, model.nq - 7))
    return positions


def _states(batch: Batch, kind: mujoco.mjtState) -> np.ndarray:
    """Returns the states in which the worlds are."""
    states = np.zeros((len(batch), mujoco.mj_stateSize(batch[0].model, kind)))
    for world, state in zip(batch, states, strict=True):
        mujoco.mj_getState(world.model, world.data, state, kind)
    return states


def _time(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
