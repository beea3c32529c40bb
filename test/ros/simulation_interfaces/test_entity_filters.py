"""Compares the patterns of filters, POSIX extended regular expressions, with grep."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')
pytest.importorskip('re2', reason='the extra `filter` installs google-re2')

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.ros.simulation_interfaces.entity_filters import Pattern

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
    'x\\y',
]
PATTERNS = [
    'cube', '^cube$', 'cube_[0-9]+$', '^(cube|robot)', 'cube_?1', 'a{2}', '^a{1,2}b', 'a{2,}',
    '[[:upper:]]', '[[:digit:][:space:]]', '[^[:alpha:]]', 'a\\.b', 'a\\+b', '[]]', '[^]a-z]',
    '[a-c]-[a-c]', '[b-]', 'r(ob)*ot', 'c.be', '^.{4}$', '(a|b)+$', '(^r|e$)', '(cube)(_1)?2?$',
    'a**', 'a+?', 'a{', 'a{300}', '()', '^^c', 'a|', '[]^-]', '[\\]y', '[^\\a-z]',
    '[[:alpha:]\\]+y',
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
    [
        '(', ')', '[', '[a', '*a', '(?i)a', '\\d', '\\<a', '\\x41', '\\', 'a{2,1}', 'a{3000}',
        '[z-a]', '[[:name:]]', '[[.a.]]', '[[=a=]b]', 'x' * 201, '((a{99}){99}){99}',
        '((((){99}){99}){99}){99}',
    ],
)  # fmt: skip
def test_what_posix_does_not_define_and_what_is_too_large_is_refused(pattern):
    with pytest.raises(ConfigError, match='filter'):
        Pattern(pattern)


def test_no_pattern_takes_longer_than_its_length_times_that_of_the_name():
    assert not Pattern('(a|a)*(a|aa)*(a*)*b$').search('a' * 250)
    assert not Pattern('.*.*.*.*.*.*.*x').search('a' * 250)
    assert Pattern('(' * 99 + 'a' + ')' * 99).search('a')


def test_a_pattern_spans_a_line_break_and_begins_and_ends_with_the_name():
    assert Pattern('a.b').search('a\nb')
    assert not Pattern('^b').search('a\nb')
    assert not Pattern('a$').search('a\nb')


def test_a_filter_without_the_library_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, 're2', None)
    with pytest.raises(ConfigError, match=r'google-re2: pip install .mujoco_ros_py\[filter\]'):
        Pattern('a')
