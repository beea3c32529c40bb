"""Which plugins are filled with groups of parameters, and which the server loads by itself."""

from __future__ import annotations

import pytest

from mujoco_ros_py.config import NO_GROUP, Entry, Group, PluginConfig
from mujoco_ros_py.plugins.host.description_files import PluginDescription
from mujoco_ros_py.ros.parameters.content import automatic, completed

GROUPS = {'cam_config': {'wrist': {'width': 16}}}


def description(name: str, **declared) -> PluginDescription:
    return PluginDescription(
        name=name,
        module='eyes',
        qualname='Eyes',
        description='',
        source='plugins.xml:3',
        **declared,
    )


def listed(type_: str, group: Group = NO_GROUP) -> PluginConfig:
    return PluginConfig(name='listed', type=type_, config={}, group=group)


EYES = description(
    'eyes/Eyes', automatic_with='cameras', parameter_groups={'cameras': 'cam_config'}
)
FLASH = description('eyes/Flash', automatic_with='cameras')
ARM = description('arm/Arm')


def test_a_plugin_loads_by_itself_where_the_model_has_what_it_asks_for():
    eyes, flash = automatic([ARM, EYES, FLASH], [], GROUPS, {'cameras'})
    assert eyes.struct == {'type': 'eyes/Eyes', 'cameras': {'wrist': {'width': 16}}}
    assert flash.struct == {'type': 'eyes/Flash'}
    assert eyes.implicit
    assert flash.implicit


def test_a_plugin_that_is_listed_or_asks_for_what_is_not_there_does_not_load_by_itself():
    assert automatic([ARM, EYES, FLASH], [], GROUPS, set()) == []
    (flash,) = automatic([ARM, EYES, FLASH], [listed('eyes/Eyes')], GROUPS, {'cameras'})
    assert flash.struct == {'type': 'eyes/Flash'}


def test_joint_states_load_by_themselves_for_each_group_and_cameras_once():
    states = description('arm/States', automatic_with='joint_states')
    left, right = Group('left', 'left/'), Group('right', 'r_')
    there = [listed('arm/Arm', left), listed('arm/States', right), listed('eyes/Eyes', right)]
    made = automatic([states, EYES], there, GROUPS, {'joint_states', 'cameras'})
    assert [(each.struct['type'], each.group) for each in made] == [
        ('arm/States', NO_GROUP),
        ('arm/States', left),
        ('eyes/Eyes', NO_GROUP),
    ]


def test_a_plugin_of_a_robot_gets_the_parameters_of_the_robots_own_elements():
    groups = {'cam_config': {'left/wrist': {'width': 16}, 'top': {'width': 32}}}
    inside = Entry(place='a', struct={'type': 'eyes/Eyes'}, group=Group('left', 'left/'))
    outside = Entry(place='b', struct={'type': 'eyes/Eyes'})
    left, whole = completed([inside, outside], [EYES], groups)
    assert left.struct['cameras'] == {'wrist': {'width': 16}}
    assert whole.struct['cameras'] == groups['cam_config']


def test_a_listed_plugin_gets_the_groups_that_it_asks_for_where_it_has_no_such_key():
    entries = [
        Entry(place='a', struct={'type': 'eyes/Eyes', 'name': 'left'}),
        Entry(place='b', struct={'type': 'eyes/Eyes', 'cameras': {}}),
        Entry(place='c', struct={'type': 'arm/Arm'}),
    ]
    left, own, arm = completed(entries, [ARM, EYES, FLASH], GROUPS)
    assert left.struct == {
        'type': 'eyes/Eyes',
        'name': 'left',
        'cameras': {'wrist': {'width': 16}},
    }
    assert own.struct == {'type': 'eyes/Eyes', 'cameras': {}}
    assert arm is entries[2]


@pytest.mark.parametrize('struct', [3, None, {}, {'type': 3}, {'type': ['eyes/Eyes']}])
def test_an_entry_that_is_no_plugin_stays_as_it_is(struct):
    entry = Entry(place='a', struct=struct)
    assert completed([entry], [EYES], GROUPS) == [entry]


def test_a_group_that_the_server_does_not_have_is_a_fault_of_the_entry():
    strange = description(
        'eyes/Eyes', automatic_with='cameras', parameter_groups={'lamps': 'lights'}
    )
    told = "plugins.xml:3: unknown group of parameters 'lights'; known: cam_config"
    (entry,) = completed([Entry(place='a', struct={'type': 'eyes/Eyes'})], [strange], GROUPS)
    assert entry.fault == told
    (entry,) = automatic([strange], [], GROUPS, {'cameras'})
    assert entry.fault == told
