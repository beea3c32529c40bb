"""Formatting of files."""

import io
import os
import stat
import sys
from pathlib import Path

import pytest

from mujoco_ros_py import mjcf

UGLY = "<mujoco><!-- c -->\n<option timestep='.10'/></mujoco>"
NEAT = '<mujoco> <!-- c -->\n  <option timestep="0.1"/>\n</mujoco>\n'


def test_files_are_replaced_and_named(call):
    Path('a.xml').write_text(UGLY)
    assert call('format', 'a.xml', 'good.xml') == (0, '', 'formatted a.xml\n')
    assert Path('a.xml').read_text() == NEAT
    assert call('format', 'a.xml') == (0, '', '')


def test_check_and_diff_change_nothing(call):
    Path('a.xml').write_text(UGLY)
    assert call('format', '--check', 'a.xml', 'good.xml') == (1, 'would format a.xml\n', '')
    code, out, _ = call('format', '--diff', 'a.xml', 'good.xml')
    assert code == 1
    assert out.startswith('--- a.xml\n+++ a.xml\n@@ -1,2 +1,3 @@\n-<mujoco><!-- c -->\n')
    assert '\n+  <option timestep="0.1"/>\n' in out
    assert Path('a.xml').read_text() == UGLY
    assert call('format', '--check', '--diff', 'good.xml') == (0, '', '')


def test_the_standard_input_goes_to_the_standard_output(call, monkeypatch):
    monkeypatch.setattr(sys, 'stdin', io.TextIOWrapper(io.BytesIO(UGLY.encode())))
    assert call('format', '-') == (0, NEAT, '')


def test_what_cannot_be_formatted_stays_and_the_others_are_formatted(call):
    Path('broken.xml').write_text('<mujoco>\n<option>')
    Path('a.xml').write_text(UGLY)
    code, out, err = call('format', 'broken.xml', 'none.xml', '.', 'a.xml')
    assert (code, out) == (2, '')
    assert err.splitlines() == [
        'broken.xml:2: not well-formed: no element found',
        'none.xml: No such file or directory',
        '.: Is a directory',
        'formatted a.xml',
    ]
    assert Path('broken.xml').read_text() == '<mujoco>\n<option>'


def test_who_may_read_a_file_stays_and_a_link_stays_one(call):
    Path('a.xml').write_text(UGLY)
    os.chmod('a.xml', 0o640)
    Path('link.xml').symlink_to('a.xml')
    call('format', 'link.xml')
    assert Path('link.xml').is_symlink()
    assert Path('a.xml').read_text() == NEAT
    assert stat.S_IMODE(os.stat('a.xml').st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason='only root may give files away')
def test_a_file_that_root_formats_stays_its_owners(call):
    Path('a.xml').write_text(UGLY)
    os.chown('a.xml', 1234, 2345)
    assert call('format', 'a.xml').code == 0
    assert (os.stat('a.xml').st_uid, os.stat('a.xml').st_gid) == (1234, 2345)


@pytest.mark.skipif(os.geteuid() == 0, reason='root may write everything')
def test_a_file_that_must_not_be_written_is_not_replaced(call):
    Path('a.xml').write_text(UGLY)
    os.chmod('a.xml', 0o444)
    assert call('format', 'a.xml') == (2, '', 'a.xml: Permission denied\n')
    assert Path('a.xml').read_text() == UGLY


def test_includes_stay(call):
    Path('main.xml').write_text('<mujoco><include   file="none.xml" /></mujoco>')
    assert call('format', 'main.xml').code == 0
    assert Path('main.xml').read_text() == ('<mujoco>\n  <include file="none.xml"/>\n</mujoco>\n')


@pytest.mark.parametrize('name', ['arm.xml', 'rover.xml'])
def test_a_formatted_model_is_the_same(call, name):
    original = Path(__file__).parents[4] / 'examples' / name
    Path(name).write_bytes(original.read_bytes())
    assert call('format', name).code == 0
    assert Path(name).read_bytes() != original.read_bytes()
    assert mjcf.diff(mjcf.from_path(original), mjcf.from_path(name)) == []
