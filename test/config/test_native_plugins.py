from __future__ import annotations

from array import array

import pytest

from mujoco_ros_py.config import read_native, read_plugins, read_text, register
from mujoco_ros_py.errors import ConfigError


def whole_refusal(parameters: dict[str, object]) -> str:
    with pytest.raises(ConfigError) as caught:
        read_native(parameters)
    return str(caught.value)


def refusals(parameters: dict[str, object]) -> list[str]:
    return [str(refusal) for refusal in register(read_native(parameters))[1]]


def test_the_structs_come_in_the_order_of_names_with_their_values_nested():
    plugins, refused = register(
        read_native(
            {
                'imu.type': 'my_pkg/Imu',
                'arm.type': 'my_pkg/Arm',
                'arm.gains': array('d', [1.0, 2.0]),
                'arm.pid.p': 3.0,
                'arm.pid.limits.max': 4,
                'names': ['arm', 'imu'],
            }
        )
    )
    assert not refused
    assert [(plugin.name, plugin.type) for plugin in plugins] == [
        ('arm', 'my_pkg/Arm'),
        ('imu', 'my_pkg/Imu'),
    ]
    assert plugins[0].config == {'gains': [1.0, 2.0], 'pid': {'p': 3.0, 'limits': {'max': 4}}}
    assert plugins[1].config == {}


# What rcl's parser makes of the lists, seen with a parameter file
@pytest.mark.parametrize(
    ('merged', 'arrived'),
    [
        # [{type: a/B}, {type: c/D}]
        ({'type.type': ['a/B', 'c/D']}, "type.type = ['a/B', 'c/D']"),
        # [{type: a/B}]
        ({'type': ['a/B']}, "type = ['a/B']"),
        # [{type: a/B}, {type: c/D, gains: [1.0, 2.0], pid: {p: 1.0}}]
        (
            {'type.pid.p': 1.0, 'type.type': array('d', [1.0, 2.0])},
            'type.pid.p = 1.0',
        ),
        # [{name: arm, type: a/B}, {name: imu, type: c/D}]
        (
            {'name.name': ['arm', 'type', 'a/B', 'imu', 'type', 'c/D']},
            "name.name = ['arm', 'type', 'a/B', 'imu', 'type', 'c/D']",
        ),
        # {type: a/B}
        ({'type': 'a/B'}, "type = 'a/B'"),
    ],
)
def test_a_native_list_of_structs_is_recognised_by_what_rcl_makes_of_it(merged, arrived):
    message = whole_refusal(merged)
    assert 'ROS parameters cannot hold a list of structs' in message
    assert f'arrived as MujocoPlugins.{arrived}.' in message


def test_what_the_message_says_to_write_instead_is_accepted():
    _, native, block = whole_refusal({'type': ['a/B']}).split('MujocoPlugins:')
    assert 'names: [first, second]' in native
    plugins, refused = register(read_text(block.removeprefix(' |\n'), 'MujocoPlugins'))
    assert [plugin.type for plugin in plugins] == ['package/Class', 'package/Other']
    assert not refused


def test_missing_names_are_asked_for_with_the_structs_that_are_there():
    message = whole_refusal({'arm.type': 'a/B', 'arm.x': ['y'], 'imu.type': 'c/D'})
    assert message == 'MujocoPlugins.names must list the plugins in order: names: [arm, imu]'


def test_names_that_a_struct_with_a_dotted_key_has_displaced_are_recognised():
    """rcl's parser returns this for `gains: {arm.1: {p: 1.0}}` with `names` at the end."""
    merged = {'pair.type': 'a/B', 'pair.gains.arm.1.p': 1.0, 'pair.names': ['pair']}
    with pytest.raises(ConfigError, match=r'^MujocoPlugins\.names arrived as MujocoPlugins\.pair'):
        read_native(merged)


@pytest.mark.parametrize('names', ['arm', [1], array('q', [1]), 5, True])
def test_names_that_are_no_list_of_strings_are_refused(names):
    message = whole_refusal({'names': names, 'arm.type': 'a/B'})
    assert message.startswith('MujocoPlugins.names must be a list of strings, got ')


def test_a_name_without_a_struct_is_refused_alone():
    parameters = {'names': ['arm', 'imuu'], 'arm.type': 'a/B', 'imu.type': 'c/D'}
    plugins, refused = register(read_native(parameters))
    assert [plugin.name for plugin in plugins] == ['arm']
    assert [str(refusal) for refusal in refused] == [
        "MujocoPlugins.names[1]: unknown struct 'imuu' (did you mean 'imu'?); known: arm, imu",
        'MujocoPlugins.imu: must be listed in MujocoPlugins.names',
    ]


# What rcl's parser makes of lists inside of a struct, seen with a parameter file
@pytest.mark.parametrize(
    ('limits', 'arrived'),
    [
        # limits: [{low: 1}, {low: 2}]
        ({'arm.limits.low.low': array('q', [1, 2])}, 'arm.limits.low.low'),
        # limits: [{low: [1.0, 2.0]}, {low: [3.0]}], then speed: 5
        ({'arm.limits.low.low': [3.0], 'arm.limits.speed': 5}, 'arm.limits.low.low'),
        # deep: {limits: [{low: 1}, {low: 2}]}
        ({'arm.deep.limits.low.low': [1, 2]}, 'arm.deep.limits.low.low'),
    ],
)
def test_a_list_of_structs_inside_is_recognised_by_what_rcl_makes_of_it(limits, arrived):
    (refusal,) = refusals({'names': ['arm'], 'arm.type': 'a/B', **limits})
    assert refusal.startswith('MujocoPlugins.arm: ROS parameters cannot hold a list of structs: ')
    assert f'arrived as MujocoPlugins.{arrived} and swallowed the lines that follow it' in refusal
    assert 'block of text' in refusal


def test_a_struct_that_a_list_before_it_took_up_is_found():
    parameters = {
        'names': ['arm', 'imu'],
        'arm.type': 'a/B',
        'arm.limits.low.low': [1, 2],
        'arm.imu.type': 'c/D',
    }
    arm, imu = refusals(parameters)
    assert arm.startswith('MujocoPlugins.arm: ')
    assert imu.startswith('MujocoPlugins.names[1]: is not a struct of its own: ')
    assert 'arrived as MujocoPlugins.arm.imu' in imu


def test_lists_of_numbers_in_nested_structs_are_left_alone():
    parameters = {
        'names': ['low'],
        'low.type': 'a/B',
        'low.low': [1, 2],
        'low.pid.low': [3.0],
        'low.pid.pid': 4,
    }
    assert not refusals(parameters)


def test_a_name_listed_twice_counts_once():
    parameters = {'names': ['arm', 'arm'], 'arm.type': 'a/B'}
    assert refusals(parameters) == ["MujocoPlugins.names[1]: 'arm' is listed twice"]
    assert len(register(read_native(parameters))[0]) == 1


def test_a_struct_without_a_type_and_a_value_in_its_place_are_refused():
    assert refusals({'names': ['arm', 'imu'], 'arm.gain': 1.0, 'imu': 'c/D'}) == [
        "MujocoPlugins.arm: must have a 'type', got only: gain",
        "MujocoPlugins.imu: must be a struct with a 'type', got 'c/D'",
    ]


@pytest.mark.parametrize('keys', [('arm.pid', 'arm.pid.p'), ('arm.pid.p', 'arm.pid')])
def test_a_value_that_is_a_struct_as_well_is_refused(keys):
    parameters = {'names': ['arm'], 'arm.type': 'a/B', **dict.fromkeys(keys, 1.0)}
    assert refusals(parameters) == [
        f'MujocoPlugins.arm: MujocoPlugins.{keys[1]} is given as a value and as a struct'
    ]


def test_a_second_name_inside_is_refused():
    parameters = {'names': ['arm'], 'arm.type': 'a/B', 'arm.name': 'left'}
    assert refusals(parameters) == ["MujocoPlugins.arm: name must equal the key, got 'left'"]


def test_a_mapping_is_taken_for_native_parameters():
    parameters = {'names': ['arm'], 'arm.type': 'a/B'}
    assert read_plugins(parameters, lambda url: url) == read_native(parameters)
