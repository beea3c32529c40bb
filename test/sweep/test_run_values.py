import numpy as np
import pytest

from mujoco_ros_py.config import read
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.sweep.run_values import values_of_runs
from mujoco_ros_py.sweep.scenarios import Scenarios


def values(**given):
    return values_of_runs(
        read(Scenarios, {'until': {'time': 1.0}, 'success': 'time > 0', **given})
    )


def test_a_file_without_values_has_one_run():
    assert values() == [{}]


def test_cases_grid_and_samples_are_combined():
    made = values(
        cases=[{'load': 'none'}, {'load': 'heavy', 'box.mass': 3.0}],
        vary={'floor.friction': [0.2, 0.5]},
        random={'samples': 3, 'values': {'gain': {'uniform': [1.0, 2.0]}}},
    )
    assert len(made) == 2 * 2 * 3
    assert made[0].keys() == {'load', 'floor.friction', 'gain'}
    assert made[-1]['box.mass'] == 3.0
    assert [each['floor.friction'] for each in made[:6]] == [0.2] * 3 + [0.5] * 3


def test_whole_numbers_beside_others_are_doubles_as_a_parameter_has_one_type():
    found = [each['gain'] for each in values(vary={'gain': [1, 1.5, 2]})]
    assert (found, set(map(type, found))) == ([1.0, 1.5, 2.0], {float})
    kept = [each['count'] for each in values(vary={'count': [1, 2, True, 'x']})]
    assert list(map(type, kept)) == [int, int, bool, str]


@pytest.mark.parametrize(
    'given',
    [
        {'cases': [{'gain': 1}, {'gain': 2.5}]},
        {'vary': {'gain': {'choice': [1, 2.5], 'samples': 20}}},
        {'random': {'samples': 20, 'values': {'gain': {'choice': [1, 2.5]}}}},
    ],
)
def test_whole_numbers_beside_others_are_doubles_wherever_they_are_given(given):
    found = [each['gain'] for each in values(**given)]
    assert {*found} == {1.0, 2.5}
    assert {*map(type, found)} == {float}


def test_a_seed_draws_the_same_values_whatever_else_is_drawn():
    gain = {'gain': {'normal': [1.0, 0.1]}}
    alone = values(random={'samples': 5, 'seed': 7, 'values': gain})
    both = values(
        random={'samples': 5, 'seed': 7, 'values': {'mass': {'uniform': [0, 1]}, **gain}}
    )
    other = values(random={'samples': 5, 'seed': 8, 'values': gain})
    assert [each['gain'] for each in alone] == [each['gain'] for each in both]
    assert alone != other


@pytest.mark.parametrize(
    ('distribution', 'low', 'high'),
    [
        ({'uniform': [-1.0, 2.0]}, -1.0, 2.0),
        ({'log_uniform': [0.01, 100.0]}, 0.01, 100.0),
        ({'integers': [3, 5]}, 3, 5),
        ({'choice': [4.0, 8.0]}, 4.0, 8.0),
    ],
)
def test_distributions_fill_their_range(distribution, low, high):
    drawn = [each['a'] for each in values(vary={'a': {**distribution, 'samples': 500}})]
    assert low <= min(drawn) < max(drawn) <= high
    if 'log_uniform' in distribution:
        assert abs(np.median(np.log(drawn))) < 0.5
    if 'integers' in distribution:
        assert set(drawn) == {3, 4, 5}


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        ({'vary': {'a': 3}}, 'vary.a must be a list of values or a struct, got 3'),
        ({'vary': {'a': []}}, 'vary.a must be a list of values'),
        ({'vary': {'a': {'uniform': [0, 1]}}}, 'vary.a.samples must be a whole number'),
        ({'vary': {'a': {'unifrm': [0, 1], 'samples': 2}}}, "did you mean 'uniform'"),
        ({'vary': {'a': {'uniform': [2, 1], 'samples': 2}}}, 'lower bound first'),
        ({'vary': {'a': {'uniform': [2], 'samples': 2}}}, 'vary.a.uniform must be a list of 2'),
        ({'vary': {'a': {'log_uniform': [0, 1], 'samples': 2}}}, 'bounds above 0'),
        ({'vary': {'a': [1]}, 'cases': [{'a': 2}]}, "'a' has values at two places"),
        ({'vary': {'a': [*range(2000)], 'b': [*range(2000)]}}, 'at most 100000 runs'),
        ({'random': {'samples': 0, 'values': {}}}, 'random.samples must be at least 1'),
    ],
)
def test_what_is_wrong_with_values_is_told(given, message):
    with pytest.raises(ConfigError) as error:
        values(**given)
    assert message in str(error.value)
