"""The help of the commands and their arguments."""

import pytest


@pytest.mark.parametrize('argv', [[], ['nothing'], ['diff', 'one'], ['format', '--nothing', 'a']])
def test_wrong_arguments_are_told_with_the_usage(call, argv):
    code, out, err = call(*argv)
    assert (code, out) == (2, '')
    assert err.startswith('Usage: mujoco_ros_py mjcf')


@pytest.mark.parametrize('command', ['validate', 'format', 'flatten', 'diff', 'export', 'schema'])
def test_help_has_an_example(call, command):
    code, out, err = call(command, '--help')
    assert (code, err) == (0, '')
    assert f'example: mujoco_ros_py mjcf {command} ' in out
    assert max(map(len, out.splitlines())) < 100


def test_the_version_is_told(call):
    code, out, _ = call('--version')
    assert code == 0
    assert out.startswith('mujoco_ros_py ')
