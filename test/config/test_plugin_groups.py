"""Groups of plugins in all forms of MujocoPlugins."""

from __future__ import annotations

from typing import Any

import pytest

from mujoco_ros_py.config import Group, read_plugins, register

LIST = """
- {type: a/B}
- namespace: left
  plugins:
    - {type: a/B, gain: 1}
    - {type: a/B}
    - {type: c/D, name: arm}
- namespace: fleet/right
  prefix: r_
  plugins:
    - {type: c/D, name: arm}
"""
NATIVE = {
    'names': ['left', 'lone'],
    'lone.type': 'a/B',
    'left.prefix': 'l_',
    'left.plugins.names': ['arm', 'hand'],
    'left.plugins.arm.type': 'c/D',
    'left.plugins.hand.type': 'a/B',
    'left.plugins.hand.gain': 2.0,
}


def registered(value: Any) -> tuple[list[Any], list[str]]:
    plugins, refusals = register(read_plugins(value, lambda url: url))
    return plugins, [str(refusal) for refusal in refusals]


def refusal(*entries: Any) -> str:
    plugins, refusals = register(read_plugins(list(entries), lambda url: url))
    assert not plugins
    (told,) = refusals
    return str(told)


def test_plugins_of_a_group_have_its_namespace_in_their_names():
    plugins, refusals = registered(LIST)
    assert not refusals
    names = ['b', 'left/b', 'left/b_2', 'left/arm', 'fleet/right/arm']
    assert [each.name for each in plugins] == names
    assert plugins[1].group == Group('left', 'left/')
    assert plugins[1].config == {'gain': 1}
    assert plugins[4].group == Group('fleet/right', 'r_')


def test_a_struct_of_native_parameters_can_be_a_group_too():
    plugins, refusals = registered(NATIVE)
    assert not refusals
    assert [each.name for each in plugins] == ['left/arm', 'left/hand', 'lone']
    assert plugins[1].group == Group('left', 'l_')
    assert plugins[1].config == {'gain': 2.0}


@pytest.mark.parametrize(
    ('entry', 'reason'),
    [
        ({'plugins': []}, 'namespace of a group must be words of letters'),
        (
            {'plugins': [], 'namespace': '/left'},
            "begin with a letter, separated by /, got '/left'",
        ),
        ({'plugins': [], 'namespace': 'left', 'prefix': 3}, 'prefix of a group must be a string'),
        ({'plugins': [], 'namespace': 'left', 'prefx': ''}, "unknown key 'prefx' (did you mean"),
        (
            {'plugins': 3, 'namespace': 'left'},
            'MujocoPlugins[0].plugins must be a list of structs',
        ),
        ({'plugins': {}, 'namespace': 'left'}, 'names must list the plugins in order'),
    ],
)
def test_a_wrong_group_is_refused_as_a_whole(entry, reason):
    told = refusal(entry)
    assert told.startswith('MujocoPlugins[0]: ')
    assert reason in told


def test_a_wrong_plugin_of_a_group_is_refused_alone_and_told_by_its_place():
    inside = [{'type': 'a/B'}, {'namespace': 'x', 'plugins': []}, {'typ': 'a/B'}]
    plugins, refusals = registered([{'namespace': 'left', 'plugins': inside}])
    assert [each.name for each in plugins] == ['left/b']
    assert refusals == [
        'MujocoPlugins[0].plugins[1]: groups cannot be nested',
        "MujocoPlugins[0].plugins[2]: must have a 'type', got only: typ",
    ]


def test_a_name_is_taken_once_in_each_group():
    arm = {'type': 'a/B', 'name': 'arm'}
    groups = [{'namespace': name, 'plugins': [arm]} for name in ('left', 'right', 'left')]
    plugins, refusals = registered(groups)
    assert [each.name for each in plugins] == ['left/arm', 'right/arm']
    assert refusals == [
        "MujocoPlugins[2].plugins[0]: name 'left/arm' is taken by MujocoPlugins[0].plugins[0]"
    ]
