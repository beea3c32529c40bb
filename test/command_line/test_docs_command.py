"""The pages that the command `docs` prints."""

from __future__ import annotations

import pytest

from mujoco_ros_py import command_line


def test_without_a_page_all_pages_are_listed_with_their_titles(capsys):
    assert command_line.run(['docs']) == 0
    titles = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert titles['README'].strip() == 'mujoco_ros_py'
    assert titles['reference/qos'].strip() == 'Quality of service'
    assert {'AGENTS', 'how-to/lockstep', 'explanation/architecture'} < set(titles)


@pytest.mark.parametrize('page', ['qos', 'reference/qos'])
def test_a_page_is_printed_by_its_name_with_or_without_its_folder(page, capsys):
    assert command_line.run(['docs', page]) == 0
    assert capsys.readouterr().out.startswith('# Quality of service\n')


def test_a_page_that_is_not_there_is_answered_with_the_one_that_may_be_meant(capsys):
    assert command_line.run(['docs', 'lockstp']) == 2
    assert "unknown page 'lockstp' (did you mean 'lockstep'?)" in capsys.readouterr().err
