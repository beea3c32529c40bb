from __future__ import annotations

import pytest

from mujoco_ros_py.config import read_list, register


def registered(*structs: object):
    return register(read_list(list(structs), 'MujocoPlugins'))


def names(*structs: object) -> list[str]:
    return [plugin.name for plugin in registered(*structs)[0]]


def reason(struct: object) -> str:
    plugins, (refusal,) = registered({'type': 'a/First'}, struct)
    assert [plugin.type for plugin in plugins] == ['a/First']
    assert refusal.place == 'MujocoPlugins[1]'
    return refusal.reason


def test_everything_but_type_and_name_is_the_configuration():
    struct = {'type': 'a/B', 'name': 'arm', 'gains': [[1], [2]], 'pid': {'p': {'max': 1}}}
    (plugin,), refused = registered(struct)
    assert not refused
    assert (plugin.name, plugin.type) == ('arm', 'a/B')
    assert plugin.config == {'gains': [[1], [2]], 'pid': {'p': {'max': 1}}}


@pytest.mark.parametrize(
    ('struct', 'expected'),
    [
        ('a/B', "must be a struct with a 'type', got 'a/B'"),
        (None, "must be a struct with a 'type', got None"),
        ([1], "must be a struct with a 'type', got [1]"),
        ({'gain': 1, 'rate': 2}, "must have a 'type', got only: gain, rate"),
        ({}, "must have a 'type', got only: nothing"),
        ({'type': 'a/B', True: 1}, 'keys must be strings, got True'),
        ({'type': 5}, 'type must have the form package/Class, got 5'),
        ({'type': None}, 'type must have the form package/Class, got None'),
        ({'type': 'Arm'}, "type must have the form package/Class, got 'Arm'"),
        ({'type': 'a/b/C'}, "type must have the form package/Class, got 'a/b/C'"),
        ({'type': 'a/B\n'}, "type must have the form package/Class, got 'a/B\\n'"),
        (
            {'type': 'a/B', 'name': 'left.arm'},
            "name must be letters, digits and underscores, a letter first, got 'left.arm'",
        ),
        (
            {'type': 'a/B', 'name': ['x']},
            "name must be letters, digits and underscores, a letter first, got ['x']",
        ),
    ],
)
def test_an_entry_that_is_no_plugin_is_refused_and_the_others_go_on(struct, expected):
    assert reason(struct) == expected


def test_a_refusal_reads_as_a_sentence_with_its_place():
    _, (refusal,) = registered(5)
    assert str(refusal) == "MujocoPlugins[0]: must be a struct with a 'type', got 5"


def test_the_later_of_two_equal_names_is_refused():
    plugins, (refusal,) = registered(
        {'type': 'a/B', 'name': 'arm', 'x': 1}, {'type': 'c/D', 'name': 'arm'}
    )
    assert [plugin.type for plugin in plugins] == ['a/B']
    assert str(refusal) == "MujocoPlugins[1]: name 'arm' is taken by MujocoPlugins[0]"


def test_the_name_of_a_refused_entry_stays_free():
    assert names({'name': 'arm'}, {'type': 'c/D', 'name': 'arm'}) == ['arm']


@pytest.mark.parametrize(
    ('plugin_class', 'name'),
    [
        ('SomePluginWithConfig', 'some_plugin_with_config'),
        ('IMUSensor', 'imu_sensor'),
        ('PID', 'pid'),
        ('Arm7Controller', 'arm7_controller'),
        ('Imu2D', 'imu2d'),
        ('lowercase_already', 'lowercase_already'),
    ],
)
def test_a_name_is_made_from_the_class(plugin_class, name):
    assert names({'type': f'pkg/{plugin_class}'}) == [name]


def test_repeated_classes_are_numbered():
    assert names(*[{'type': 'a/Arm'}] * 3) == ['arm', 'arm_2', 'arm_3']


def test_a_made_name_gives_way_to_a_given_one_wherever_it_stands():
    assert names({'type': 'a/Arm'}, {'type': 'a/Arm'}, {'type': 'c/D', 'name': 'arm'}) == [
        'arm_2',
        'arm_3',
        'arm',
    ]
