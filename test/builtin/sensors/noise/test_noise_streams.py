"""Independence of the random streams of axes, sensors, plugins and seeds."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from builtin.sensors.noise.chance import check_correlation
from builtin.sensors.noise.sampling import SAMPLES, TIMESTEP, samples
from deadline import DEADLINE_S

from mujoco_ros_py.builtin.sensors.noise import AxisNoise, noise_rows

NOISE = AxisNoise(stddev=1.0)
STREAMS = ['/imu', '/imu2', '/left/imu', '/sensors/gyro', '/sensors/gyr', '/sensors/gyro/']
SEEDS = [0, 1, 2, -1, 2**62]
INDICES = np.arange(SAMPLES)
ELSEWHERE = """
from mujoco_ros_py.builtin.sensors.noise import AxisNoise, noise_rows
print(noise_rows([AxisNoise(stddev=1.0)] * 3, 42, '/robot/imu').tobytes().hex())
"""


@pytest.mark.slow
def test_axes_streams_and_seeds_are_independent():
    rows = [noise_rows([NOISE] * 3, 0, stream) for stream in STREAMS]
    rows += [noise_rows([NOISE] * 3, seed, STREAMS[0]) for seed in SEEDS[1:]]
    paths = samples(np.concatenate(rows), 0.0, 0, INDICES, TIMESTEP)
    pairs = [(one, other) for k, one in enumerate(paths) for other in paths[:k]]
    assert len(pairs) == 435
    for one, other in pairs:
        check_correlation(one, other, of=len(pairs))


def test_seeds_and_positions_are_not_taken_for_each_other():
    keys = [
        int(row['key'])
        for seed in (1, 11, 111)
        for stream in ('', '1', '1 1', '11', ' 1')
        for row in noise_rows([NOISE] * 12, seed, stream)
    ]
    assert len(set(keys)) == len(keys)


def test_a_secret_makes_other_streams_and_without_one_they_are_those_of_always():
    secrets = [b'', b'one', b'other', b'x' * 64]
    keys = [int(noise_rows([NOISE], 0, '/imu', secret)[0]['key']) for secret in secrets]
    assert len(set(keys)) == len(keys)
    assert keys[0] == int(noise_rows([NOISE], 0, '/imu')[0]['key']) == -4380713804233595538


def test_what_a_row_draws_does_not_depend_on_the_rows_beside_it():
    alone = noise_rows([NOISE], 4, 'a')
    beside = noise_rows([NOISE, AxisNoise(stddev=9.0)], 4, 'a')
    assert alone[0]['key'] == beside[0]['key']


@pytest.mark.slow
def test_another_process_draws_the_same_numbers():
    """The numbers follow from the keys in the rows."""
    done = subprocess.run(
        [sys.executable, '-c', ELSEWHERE], env={**os.environ, 'PYTHONHASHSEED': '1'},
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == noise_rows([NOISE] * 3, 42, '/robot/imu').tobytes().hex()
