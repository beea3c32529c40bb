from __future__ import annotations

from array import array

import pytest

from mujoco_ros_py.config import read_joint_map
from mujoco_ros_py.errors import ConfigError

WHERE = 'initial_joint_positions.joint_map'


@pytest.mark.parametrize(
    ('value', 'numbers'),
    [
        (1, (1.0,)),
        (-0.5, (-0.5,)),
        ([1.0, 0, 0, 0], (1.0, 0.0, 0.0, 0.0)),
        (array('d', [1.0, 2.0]), (1.0, 2.0)),
        ('1.0 0 0  1e-3', (1.0, 0.0, 0.0, 0.001)),
        (' 3 ', (3.0,)),
    ],
)
def test_a_number_a_list_and_the_original_string_are_numbers(value, numbers):
    assert read_joint_map({'hip': value}, WHERE) == {'hip': numbers}


@pytest.mark.parametrize(
    'value',
    [
        *(True, None, '', [], 'up', '1, 2', [1.0, True], [1.0, '2'], [[1.0]], {'a': 1}),
        *(float('nan'), 'inf', [1.0, float('inf')], 10**400),
    ],
)
def test_what_is_no_number_is_an_error_that_names_the_joint(value):
    with pytest.raises(ConfigError) as caught:
        read_joint_map({'left.knee': 1, 'hip': value}, WHERE)
    assert str(caught.value).startswith(
        'initial_joint_positions.joint_map.hip must be one or more finite numbers, got '
    )
