"""Tables survive writing and reading, and match the generator's output."""

import shutil
import subprocess
import sys

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.mjcf.schema.generate.__main__ import DOCUMENTS, STUB, table_text
from mujoco_ros_py.mjcf.schema.specs import AttributeSpec
from mujoco_ros_py.mjcf.schema.table_reader import attribute_of, read_table
from mujoco_ros_py.mjcf.schema.tables import TABLES, table_for, version_of, version_written

GENERATE = """
import pathlib, runpy, sys
from mujoco_ros_py.mjcf.schema import tables

tables.TABLES = pathlib.Path(sys.argv.pop())
runpy.run_module('mujoco_ros_py.mjcf.schema.generate', run_name='__main__')
"""
"""A program that runs the command that generates the tables, with another output folder."""


@pytest.mark.parametrize('path', list(TABLES.glob('*.txt')), ids=lambda path: path.stem)
def test_a_table_that_was_read_is_written_as_it_was(path):
    text = path.read_text()
    assert table_text(read_table(text)) == text.partition('\n')[2]


@pytest.mark.nightly
def test_the_command_writes_the_table_and_the_stub_as_they_are_and_leaves_nothing_undescribed(
    tmp_path,
):
    table = table_for(version_of(mujoco.__version__))
    if version_written(table.read_text()) != mujoco.__version__ or not DOCUMENTS.is_dir():
        pytest.skip('no table was written from the documents of this MuJoCo')
    copies = tmp_path / 'schema' / 'tables'
    shutil.copytree(TABLES, copies)
    (copies / table.name).unlink()
    command = [sys.executable, '-c', GENERATE, str(copies)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert done.returncode == 0, done.stderr
    assert (copies / table.name).read_text() == table.read_text()
    assert (tmp_path / STUB.name).read_text() == STUB.read_text()
    assert 'not described anywhere' not in done.stdout


@pytest.mark.parametrize(
    ('line', 'spec'),
    [
        ('@a real', AttributeSpec('a', 'real')),
        ('@a real required = 1', AttributeSpec('a', 'real', required=True, default='1')),
        ('@a int(2) = 0 5', AttributeSpec('a', 'int', 2, 2, default='0 5')),
        ('@a real(1..3)', AttributeSpec('a', 'real', 1, 3)),
        ('@a real(*)', AttributeSpec('a', 'real', 0, None)),
        ('@a [x y] = y', AttributeSpec('a', 'keyword', keywords=('x', 'y'), default='y')),
        ('@a [x y] *', AttributeSpec('a', 'keywords', keywords=('x', 'y'))),
        ('@a -> body required', AttributeSpec('a', 'reference', namespace='body', required=True)),
        ('@a -> body *', AttributeSpec('a', 'references', namespace='body')),
        ('@a -> @b', AttributeSpec('a', 'reference', namespace='attribute:b')),
        ('@a identifier geom', AttributeSpec('a', 'identifier', namespace='geom')),
        ('@a file meshdir', AttributeSpec('a', 'file', namespace='meshdir')),
        ('@a string = x = y', AttributeSpec('a', 'string', default='x = y')),
    ],
)
def test_a_line_says_what_an_attribute_takes(line, spec):
    assert attribute_of(line) == spec


@pytest.mark.parametrize('line', ['m !\n    @a', 'm !\n    a', 'm !\n    a ! see b\n    b *'])
def test_a_line_that_says_nothing_is_refused(line):
    with pytest.raises(ValueError, match=r'schema table|a different mark'):
        read_table(line)
