"""The parameters `qos_overrides.*`: their meaning, and errors in them."""

from __future__ import annotations

import pytest
from rclpy.qos import QoSPolicyKind, QoSProfile, qos_profile_sensor_data

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.ros.parameters.qos_overrides import as_parameter, overridden, read_overrides

START = 'qos_overrides./joint_states.publisher'
VALUES = {
    'history': ['keep_last', 'keep_all', 'system_default'],
    'depth': [1, 2**31 - 1],
    'reliability': ['reliable', 'best_effort', 'system_default', 'best_available'],
    'durability': ['volatile', 'transient_local', 'system_default', 'best_available'],
    'deadline': [0, 10**9],
    'lifespan': [0, 10**9],
    'liveliness': ['automatic', 'manual_by_topic', 'system_default', 'best_available'],
    'liveliness_lease_duration': [0, 10**9],
    'avoid_ros_namespace_conventions': [False, True],
}
"""Each policy with valid values."""


def refusal(name: str, value: object) -> str:
    with pytest.raises(ConfigError) as caught:
        read_overrides({name: value})
    return str(caught.value)


def test_the_policies_are_those_of_rclpy():
    assert set(VALUES) == {kind.name.lower() for kind in QoSPolicyKind if kind.name != 'INVALID'}


@pytest.mark.parametrize('policy', VALUES)
def test_a_policy_takes_its_values_and_shows_them(policy):
    for value in VALUES[policy]:
        read = read_overrides({f'{START}.{policy}': value})
        profile = overridden(QoSProfile(depth=7), read['/joint_states.publisher'])
        assert as_parameter(profile, policy) == value
        assert type(as_parameter(profile, policy)) is type(value)


def test_what_is_not_overridden_stays_and_the_given_profile_is_not_changed():
    read = read_overrides({f'{START}.depth': 3, f'{START}.reliability': 'RELIABLE', 'realtime': 2})
    assert set(read) == {'/joint_states.publisher'}
    before = str(qos_profile_sensor_data)
    profile = overridden(qos_profile_sensor_data, read['/joint_states.publisher'])
    assert profile == QoSProfile(depth=3)
    assert str(qos_profile_sensor_data) == before


def test_an_endpoint_may_have_an_id_as_in_rclpy():
    name = 'qos_overrides./odom.subscription_left.depth'
    assert read_overrides({name: 3}) == {'/odom.subscription_left': {'depth': 3}}


@pytest.mark.parametrize('policy', VALUES)
def test_values_that_the_policy_does_not_have_are_refused_by_its_name(policy):
    for value in (None, [], ['reliable'], 1.0, 'relaible', 'unknown', '', -1):
        assert refusal(f'{START}.{policy}', value).startswith(f'{START}.{policy} must be ')


@pytest.mark.parametrize(
    ('policy', 'value', 'said'),
    [
        (
            'reliability',
            'relaible',
            'must be one of system_default, reliable, best_effort, best_available, got '
            "'relaible'",
        ),
        ('depth', 0, 'must be a number of messages, at least 1 and at most 2147483647, got 0'),
        ('depth', True, 'must be a number of messages, at least 1 and at most 2147483647, got '
         'True'),
        ('lifespan', -1, 'must be a number of nanoseconds, at least 0, got -1'),
        ('avoid_ros_namespace_conventions', 1, 'must be true or false, got 1'),
    ],
)  # fmt: skip
def test_a_refusal_tells_the_rule_and_what_came(policy, value, said):
    assert refusal(f'{START}.{policy}', value) == f'{START}.{policy} {said}'


@pytest.mark.parametrize(
    'name',
    [
        'qos_overrides.joint_states.publisher.depth',
        'qos_overrides./joint_states.depth',
        'qos_overrides./joint_states.publisher.depth.more',
        'qos_overrides./joint_states',
        'qos_overrides.',
    ],
)
def test_a_name_of_another_form_is_refused_with_the_form(name):
    assert refusal(name, 1) == (
        f'{name} must have the form '
        'qos_overrides.</full/name/of/topic>.<publisher or subscription>.<policy>'
    )


def test_a_misspelt_word_in_a_name_is_refused_with_the_one_that_is_meant():
    said = refusal('qos_overrides./joint_states.publihser.depth', 1)
    assert "unknown entity 'publihser' (did you mean 'publisher'?)" in said
    said = refusal(f'{START}.relability', 'reliable')
    assert "unknown policy of a publisher 'relability' (did you mean 'reliability'?)" in said


def test_a_subscription_has_no_lifespan():
    said = refusal('qos_overrides./joint_commands.subscription.lifespan', 1)
    assert "unknown policy of a subscription 'lifespan'; known: " in said
