"""Noise of named sensors over DDS, compared with the published ground truth."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.sensors.named.sensed_robot import ROBOT, noise_at, sensors
from builtin.sensors.named.test_sensor_choice import topics
from geometry_msgs.msg import PointStamped, QuaternionStamped, Vector3Stamped
from mujoco_ros_msgs.msg import ArrayStamped, ScalarStamped
from system.harness import wait_until

from mujoco_ros_py.builtin.sensors.noise import AxisNoise

EACH_STEP = {'update_rate': 1000.0}
WHITE = {'stddev': 0.1}


def numbers(message: Any) -> np.ndarray:
    """The numbers of a message of any of the types; a quaternion is w, x, y, z."""
    if isinstance(message, ScalarStamped):
        return np.array([message.value])
    if isinstance(message, ArrayStamped):
        return np.array(message.data)
    values = getattr(message, message.__slots__[1].strip('_'))
    names = 'wxyz' if isinstance(message, QuaternionStamped) else 'xyz'
    return np.array([getattr(values, name) for name in names])


def hear_both(sensing, kind: Any, name: str, rate_hz: float = 1000.0):
    """The noisy topic and the ground-truth topic."""
    paths = (f'/s/{name}', f'/s/{name}/ground_truth')
    return sensing.hear_all(dict.fromkeys(paths, kind), rate_hz)


def pairs(noisy, truth) -> dict[float, tuple[np.ndarray, np.ndarray]]:
    """Returns the values of both topics at the same times."""
    measured, true = noisy.by_time, truth.by_time
    return {
        time: (numbers(measured[time]), numbers(true[time]))
        for time in measured.keys() & true.keys()
    }


def check_stream(told, noise: AxisNoise, seed: int, name: str, rows: int = 1) -> None:
    """Checks that the noise at each time matches the stream of the sensor."""
    for time, (measured, true) in told.items():
        wanted = [
            noise_at(time, noise, seed=seed, stream=f'/s/{name}', row=row) for row in range(rows)
        ]
        np.testing.assert_allclose(measured - true, wanted, atol=1e-12)


def swing(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.qvel[0] = 3.0


@pytest.mark.slow
def test_noise_is_that_of_the_stream_of_the_sensor_and_each_axis_has_one_of_its_own(sense):
    noise = {'stddev': 0.1, 'bias_stddev': 0.5}
    sensing = sense(ROBOT, sensors(**EACH_STEP, seed=7, noise={'spin': noise, 'angle': noise}))
    spins, angles = (
        hear_both(sensing, Vector3Stamped, 'spin'), hear_both(sensing, ScalarStamped, 'angle'),
    )  # fmt: skip
    sensing.call(swing)
    sensing.step(30)
    for heard, name, rows in [(spins, 'spin', 3), (angles, 'angle', 1)]:
        told = pairs(*heard)
        assert len(told) >= 30
        check_stream(told, AxisNoise(**noise), 7, name, rows)


@pytest.mark.slow
def test_other_sensors_with_noise_change_the_noise_of_none(sense):
    noise = {'angle': WHITE, 'spin': WHITE, 'pixel': WHITE}
    sensing = sense(ROBOT, sensors(**EACH_STEP, sensors=['angle'], noise={'angle': WHITE}),
                    sensors(**EACH_STEP, noise=noise) | {'name': 't'})  # fmt: skip
    few = hear_both(sensing, ScalarStamped, 'angle')
    many = sensing.hear(ScalarStamped, '/t/angle', 1000.0)
    sensing.step(9)
    check_stream(pairs(*few), AxisNoise(**WHITE), 0, 'angle')
    same = few[0].by_time.keys() & many.by_time.keys()
    assert len(same) >= 9
    assert all(few[0].by_time[t].value != many.by_time[t].value for t in same), 'other plugins'


def set_noise(sensing, **values: Any) -> None:
    """Sets live parameters of the plugin, and waits until they take effect."""
    results = sensing.client.set_parameters(**{f's__{n}': value for n, value in values.items()})
    assert all(result.successful for result in results), results


@pytest.mark.slow
def test_noise_and_seed_may_change_while_it_runs_and_the_truth_stays_the_truth(sense):
    sensing = sense(ROBOT, sensors(**EACH_STEP, noise={'angle': WHITE}))
    heard = hear_both(sensing, ScalarStamped, 'angle')
    sensing.call(swing)
    for seed, noise in [(0, WHITE), (5, WHITE), (5, {'stddev': 0.1, 'bias_mean': 4.0})]:
        set_noise(sensing, seed=seed, **{f'noise__angle__{n}': v for n, v in noise.items()})
        begin = sensing.simulation.time
        sensing.step(6)
        told = {time: each for time, each in pairs(*heard).items() if time > begin + 1e-6}
        assert len(told) == 6
        check_stream(told, AxisNoise(**noise), seed, 'angle')
    set_noise(sensing, noise__angle__type='none')
    sensing.step(1)
    assert heard[0].last.value == heard[1].last.value
    set_noise(sensing, noise__angle__type='gaussian')
    sensing.step(1)
    assert heard[0].last.value != heard[1].last.value
    assert sensing.configure('s', noise={}) is None
    sensing.step(1)
    assert heard[0].last.value == heard[1].last.value


@pytest.mark.slow
def test_noise_that_a_sensor_cannot_have_is_refused_while_it_runs_and_changes_none(sense):
    sensing = sense(ROBOT, sensors(**EACH_STEP, noise={'angle': WHITE}))
    heard = hear_both(sensing, ScalarStamped, 'angle')
    (result,) = sensing.client.set_parameters(s__noise__angle__stddev=-1.0)
    assert not result.successful
    assert result.reason == 's.noise.angle.stddev must be at least 0, got -1'
    for noise, words in [
        ({'angel': WHITE}, "noise: unknown sensor 'angel' (did you mean 'angle'?)"),
        ({'clock': {'x': WHITE}}, 'noise.clock: x, y and z apply only to vectors'),
    ]:
        assert words in str(sensing.configure('s', noise={'angle': {'stddev': 9.0}, **noise}))
    sensing.step(6)
    check_stream(pairs(*heard), AxisNoise(**WHITE), 0, 'angle')


@pytest.mark.slow
@pytest.mark.parametrize('realtime', [1.0, -1.0])
def test_at_any_speed_after_a_reset_and_after_a_restored_state_the_noise_is_the_same(
    sense, realtime
):
    noise = {'stddev': 0.1, 'dynamic_bias_stddev': 0.3, 'dynamic_bias_correlation_time': 0.2}
    sensing = sense(ROBOT, sensors(noise={'angle': noise}, seed=3), realtime=realtime)
    heard = hear_both(sensing, ScalarStamped, 'angle', 100.0)
    sensing.call(swing)
    saved = sensing.simulation.save().result()
    begins = [0]
    for begin_again in (
        lambda: sensing.client.trigger('reset').success,
        lambda: sensing.simulation.restore(saved).result() == [],
        lambda: True,
    ):
        start = begins[-1]
        assert sensing.client.pause(False).success
        wait_until(lambda s=start: len(pairs_since(heard, s)) > 15, 'messages')
        assert sensing.client.pause(True).success
        told = pairs_since(heard, start)
        check_stream(told, AxisNoise(**noise), 3, 'angle')
        begins.append(len(heard[0].messages))
        assert begin_again()


def pairs_since(heard, start: int) -> dict[float, tuple[np.ndarray, np.ndarray]]:
    """Returns the values of both topics at the same times, without the first messages."""
    by_time = [
        {round(m.header.stamp.sec + m.header.stamp.nanosec * 1e-9, 9): m for m in part}
        for part in (tuple(topic.messages)[start:] for topic in heard)
    ]
    return {
        t: (numbers(by_time[0][t]), numbers(by_time[1][t]))
        for t in by_time[0].keys() & by_time[1].keys()
    }


@pytest.mark.slow
def test_numbers_with_noise_stay_within_the_cutoff_as_mujoco_cuts_them_off(sense):
    wide = {'stddev': 1.0}
    config = sensors(
        **EACH_STEP, sensors=['cut', 'cut spin', 'angle'],
        noise={'cut': wide, 'cut spin': wide, 'angle': wide},
    )  # fmt: skip
    sensing = sense(ROBOT, config)
    cut, spin, angle = (
        sensing.hear(kind, f'/s/{name}', 1000.0)
        for kind, name in [
            (ScalarStamped, 'cut'), (Vector3Stamped, 'cut_spin'), (ScalarStamped, 'angle'),
        ]
    )  # fmt: skip
    sensing.call(swing)
    sensing.step(30)
    values = [message.value for message in cut.messages]
    assert (min(values), max(values)) == (-0.2, 0.2)
    vectors = np.array([numbers(message) for message in spin.messages])
    assert (vectors.min(), vectors.max()) == (-0.2, 0.2)
    assert max(abs(message.value) for message in angle.messages) > 1.0, 'without a cutoff'


@pytest.mark.slow
def test_axes_and_orientations_stay_of_unit_length_and_each_number_has_noise_of_its_own(sense):
    noise = {name: {'stddev': 0.3} for name in ['axis', 'turn', 'place', 'pixel']}
    sensing = sense(ROBOT, sensors(**EACH_STEP, sensors=[*noise], noise=noise))
    axes = hear_both(sensing, Vector3Stamped, 'axis')
    turns = hear_both(sensing, QuaternionStamped, 'turn')
    places = hear_both(sensing, PointStamped, 'place')
    pixels = hear_both(sensing, ArrayStamped, 'pixel')
    sensing.step(20)
    for heard in (axes, turns):
        for measured, true in pairs(*heard).values():
            assert np.linalg.norm(measured) == pytest.approx(1.0, abs=1e-12)
            assert np.linalg.norm(measured - true) > 1e-3
    check_stream(pairs(*places), AxisNoise(stddev=0.3), 0, 'place', 3)
    errors = np.array([measured - true for measured, true in pairs(*pixels).values()])
    assert np.all(errors != 0.0)
    assert np.all(errors[:, 0] != errors[:, 1])


@pytest.mark.slow
def test_a_direction_that_is_not_there_and_a_ray_that_hits_nothing_have_no_noise(sense):
    coarse = {'type': 'gaussian_quantized', 'stddev': 1e-6, 'precision': 0.5}
    config = sensors(
        **EACH_STEP, sensors=['no_normal', 'lost_ray', 'ray'],
        noise={'no_normal': coarse, 'lost_ray': {'stddev': 0.1}, 'ray': {'stddev': 0.1}},
    )  # fmt: skip
    sensing = sense(ROBOT, config)
    normal = sensing.hear(Vector3Stamped, '/s/no_normal', 1000.0)
    lost, ray = (sensing.hear(ScalarStamped, f'/s/{n}', 1000.0) for n in ('lost_ray', 'ray'))
    sensing.step(9)
    assert sensing.refusals == []
    assert all(np.array_equal(numbers(each), np.zeros(3)) for each in normal.messages)
    assert {message.value for message in lost.messages} == {-1.0}
    assert len({message.value for message in ray.messages}) > 5


HALL = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/>
  <worldbody>
    <body><geom name="wall" type="box" size="0.1 0.5 1" pos="2 0.6 0"/></body>
    <camera name="eye" pos="0.1 0 0" xyaxes="0 -1 0 0 0 1" fovy="20" resolution="2 1"/>
    <site name="near" pos="1.88 0.5 0" zaxis="1 0 0"/>
    <geom name="floor" type="plane" size="1 1 0.1" pos="9 0 0"/>
    <body pos="9 0 0.09"><freejoint/><geom name="ball" size="0.1"/></body>
    <body pos="9 5 5"><geom name="far" size="0.1"/></body>
  </worldbody>
  <sensor>
    <rangefinder name="all" camera="eye" data="dist dir origin point normal depth"/>
    <rangefinder name="plain" camera="eye" data="dist depth"/>
    <rangefinder name="places" camera="eye" data="origin point"/>
    <rangefinder name="close" site="near"/>
    <contact name="slots" geom1="ball" num="3" data="force pos"/>
    <contact name="found" geom1="far" data="found"/>
    <fromto name="apart" geom1="ball" geom2="far" cutoff="1"/>
    <user name="given" dim="4"/>
  </sensor>
</mujoco>
"""
"""A camera of two pixels, the left one of which sees a wall; a ball that touches the floor."""


ARRAYS = {
    'all': (2, [1]), 'plain': (2, [1]), 'places': (2, [1]), 'slots': (3, [1, 2]),
    'apart': (1, [0]), 'given': (4, []),
}  # fmt: skip
"""How many rows an array has, and which of them hit nothing; the last one is 0 by choice."""


@pytest.mark.slow
def test_in_an_array_the_noise_leaves_alone_what_hits_nothing(sense):
    config = sensors(**EACH_STEP, sensors=[*ARRAYS], noise=dict.fromkeys(ARRAYS, WHITE))
    sensing = sense(HALL, config)
    heard = {name: hear_both(sensing, ArrayStamped, name) for name in ARRAYS}
    sensing.step(9)
    for name, (rows, missed) in ARRAYS.items():
        told = pairs(*heard[name]).values()
        assert len(told) >= 9
        for measured, true in told:
            differs = (measured != true).reshape(rows, -1)
            assert not differs[missed].any(), name
            hits = np.delete(differs, missed, axis=0)
            assert hits.all(), name


@pytest.mark.slow
def test_noise_makes_no_hit_of_a_miss_and_no_miss_of_a_hit(sense):
    wide = {'stddev': 1.0}
    names = ['close', 'found', 'plain']
    config = sensors(**EACH_STEP, sensors=names, noise=dict.fromkeys(names, wide))
    sensing = sense(HALL, config)
    close, found = (sensing.hear(ScalarStamped, f'/s/{n}', 1000.0) for n in ('close', 'found'))
    plain = sensing.hear(ArrayStamped, '/s/plain', 1000.0)
    sensing.step(30)
    assert min(message.value for message in close.messages) == 0.0
    assert {message.value for message in found.messages} == {0.0}
    values = np.array([message.data for message in plain.messages])
    assert values[:, :2].min() == 0.0
    assert set(values[:, 2:].flat) == {-1.0}


@pytest.mark.slow
def test_the_truth_is_published_only_beside_noise_and_only_if_it_is_wanted(sense):
    silent = {'type': 'none', 'stddev': 1.0}
    config = {'sensors': ['angle', 'spin', 'cut'], 'noise': {'angle': WHITE, 'cut': silent}}
    sensing = sense(
        ROBOT,
        sensors(**config),
        sensors(
            **config,
            ground_truth=False,
        )
        | {'name': 't'},
    )
    names = topics(sensing)
    assert {'/s/angle', '/s/angle/ground_truth', '/s/spin', '/t/angle'} <= names
    assert not {'/s/spin/ground_truth', '/t/angle/ground_truth'} & names


def test_in_a_protected_run_there_is_no_truth(sense):
    sensing = sense(
        ROBOT, sensors(noise={'angle': WHITE}), eval_mode=True, admin_hash='secret',
    )  # fmt: skip
    assert '/s/angle' in topics(sensing)
    assert '/s/angle/ground_truth' not in topics(sensing)


@pytest.mark.slow
def test_sensors_have_the_noise_of_the_model_if_that_is_wanted(sense):
    xml = ROBOT.replace('name="angle" joint', 'name="angle" noise="0.3" joint')
    sensing = sense(xml, sensors(**EACH_STEP, model_noise=True, noise={'cut': WHITE}))
    heard = hear_both(sensing, ScalarStamped, 'angle')
    sensing.step(6)
    check_stream(pairs(*heard), AxisNoise(stddev=0.3), 0, 'angle')
    assert '/s/spin/ground_truth' not in topics(sensing)
    assert math.isclose(heard[1].last.value, sensing.call(lambda m, d: d.qpos[0]))
