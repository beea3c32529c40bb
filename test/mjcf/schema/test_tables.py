"""Tables are read as they are written, and are what the generator writes."""

import mujoco
import pytest

from mujoco_ros_py.mjcf.schema.generate.__main__ import DOCUMENTS, generate, table_text
from mujoco_ros_py.mjcf.schema.specs import AttributeSpec
from mujoco_ros_py.mjcf.schema.table_reader import attribute_of, read_table
from mujoco_ros_py.mjcf.schema.tables import TABLES, table_for, version_of, version_written


@pytest.mark.parametrize('path', list(TABLES.glob('*.txt')), ids=lambda path: path.stem)
def test_a_table_that_was_read_is_written_as_it_was(path):
    text = path.read_text()
    assert table_text(read_table(text)) == text.partition('\n')[2]


@pytest.mark.nightly
def test_the_table_is_what_the_generator_writes_and_nothing_is_left_undescribed():
    text = table_for(version_of(mujoco.__version__)).read_text()
    if version_written(text) != mujoco.__version__ or not DOCUMENTS.is_dir():
        pytest.skip('no table was written from the documents of this MuJoCo')
    assert generate(DOCUMENTS) == (text, [])


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
    with pytest.raises(ValueError, match=r'schema table|another mark'):
        read_table(line)
