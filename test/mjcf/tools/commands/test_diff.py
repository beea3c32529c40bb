"""The differences between two files."""

import io
import sys
from pathlib import Path

import pytest


def test_files_that_say_the_same_have_status_0_and_no_output(call):
    text = Path('good.xml').read_text()
    Path('b.xml').write_text(text.replace('"1"', "' 1.0 '").replace('\n', ' <!-- c --> '))
    assert call('diff', 'good.xml', 'b.xml') == (0, '', '')


def test_each_difference_is_a_line_with_both_places(call):
    Path('part.xml').write_text('<mujoco>\n\n<geom size="2"/></mujoco>')
    Path('b.xml').write_text(
        '<mujoco>\n<option timestep="0.1"/>\n<worldbody><include file="part.xml"/></worldbody>'
        '</mujoco>'
    )
    code, out, err = call('diff', 'good.xml', 'b.xml')
    assert (code, err) == (1, '')
    assert out.splitlines() == [
        'changed option timestep: none -> 0.1 (b.xml:2)',
        'changed worldbody/geom[0] size: 1 -> 2 (good.xml:3 -> part.xml:3)',
    ]


def test_one_may_be_the_standard_input(call, monkeypatch):
    monkeypatch.setattr(sys, 'stdin', io.TextIOWrapper(io.BytesIO(b'<mujoco/>')))
    code, out, _ = call('diff', '-', 'good.xml')
    assert (code, out) == (1, 'added worldbody/geom[0]: <geom size="1"/> (good.xml:3)\n')


@pytest.mark.parametrize('other', ['none.xml', '.', 'broken.xml'])
def test_what_cannot_be_read_is_trouble(call, other):
    Path('broken.xml').write_text('<mujoco>\n<')
    for files in ([other, 'good.xml'], ['good.xml', other]):
        code, out, err = call('diff', *files)
        assert (code, out) == (2, '')
        assert err.startswith(other)
        assert err.count('\n') == 1


def test_two_files_are_needed(call):
    assert call('diff', 'good.xml').code == 2
