"""World-steps per second of a batch with a controller, relative to `mujoco.rollout`."""

from __future__ import annotations

import os

import mujoco
import numpy as np
from mujoco import rollout

from mujoco_ros_py.session.batch import Batch

from .callback import time_of
from .plugins import Brake
from .processes import FOLDER
from .rounds import Rounds

_WORLDS = 64
_STEPS = 100
_RECORD = 'time', 'qpos', 'qvel', 'sensordata', 'ctrl'


def measure() -> Rounds:
    """Measures both in turn, from the same states; the rollout gets the batch's controls.

    Asserts that both compute the same states.
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

        def theirs() -> None:
            bare.rollout(model, data, begin, controls, state=states, sensordata=sensors)

        steps = _WORLDS * _STEPS
        while True:
            bare_s = time_of(theirs)
            batch.reset(qpos=positions)
            yield steps / time_of(lambda: batch.rollout(rows=_STEPS, out=made)), steps / bare_s


def _positions(model: mujoco.MjModel) -> np.ndarray:
    """Returns initial positions, which differ between worlds."""
    chance = np.random.default_rng(1)
    positions = np.tile(model.qpos0, (_WORLDS, 1))
    positions[:, 7:] += chance.uniform(-0.3, 0.3, (_WORLDS, model.nq - 7))
    return positions


def _states(batch: Batch, kind: mujoco.mjtState) -> np.ndarray:
    """Returns the current states of the worlds."""
    states = np.zeros((len(batch), mujoco.mj_stateSize(batch[0].model, kind)))
    for world, state in zip(batch, states, strict=True):
        mujoco.mj_getState(world.model, world.data, state, kind)
    return states
