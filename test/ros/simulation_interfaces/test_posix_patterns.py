"""POSIX extended regular expressions, against grep where it is there."""

from __future__ import annotations

import shutil
import subprocess

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.ros.simulation_interfaces.posix_patterns import Pattern

NAMES = [
    'cube',
    'cube_1',
    'cube_12',
    'robot',
    'Robot 2',
    'a.b',
    'a+b',
    'aab',
    'x]y',
    'b-c',
    'caab',
]
PATTERNS = [
    'cube', '^cube$', 'cube_[0-9]+$', '^(cube|robot)', 'cube_?1', 'a{2}', '^a{1,2}b', 'a{2,}',
    '[[:upper:]]', '[[:digit:][:space:]]', '[^[:alpha:]]', 'a\\.b', 'a\\+b', '[]]', '[^]a-z]',
    '[a-c]-[a-c]', '[b-]', 'r(ob)*ot', 'c.be', '^.{4}$', '(a|b)+$', '(^r|e$)', '(cube)(_1)?2?$',
]  # fmt: skip


@pytest.mark.parametrize('pattern', PATTERNS)
def test_names_are_found_as_grep_finds_them(pattern):
    if shutil.which('grep') is None:
        pytest.skip('grep is not installed')
    done = subprocess.run(
        ['grep', '-E', pattern], input='\n'.join(NAMES), env={'LC_ALL': 'C'},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = Pattern(pattern)
    assert [name for name in NAMES if found.search(name)] == done.stdout.splitlines()


@pytest.mark.parametrize(
    'pattern',
    ['(', ')', '[', '[a', '*a', 'a**', 'a+?', '(?i)a', '\\d', '\\', 'a{2,1}', 'a{300}', '[z-a]',
     '[[:name:]]', '[[.a.]]', 'a{', 'x' * 201, '((a{99}){99}){99}', '((((){99}){99}){99}){99}'],
)  # fmt: skip
def test_what_posix_does_not_define_and_what_is_too_large_is_refused(pattern):
    with pytest.raises(ConfigError, match='filter'):
        Pattern(pattern)


def test_no_pattern_takes_longer_than_its_length_times_that_of_the_name():
    assert not Pattern('(a|a)*(a|aa)*(a*)*b$').search('a' * 250)
    assert not Pattern('.*.*.*.*.*.*.*x').search('a' * 250)
    assert Pattern('(' * 99 + 'a' + ')' * 99).search('a')
