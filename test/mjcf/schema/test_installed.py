"""The table matches the schema of the installed MuJoCo exactly."""

import re
import warnings

import mujoco
import pytest

from mujoco_ros_py.mjcf import schema
from mujoco_ros_py.mjcf.schema.installed import installed_schema
from mujoco_ros_py.mjcf.schema.printed import complete, printed_schema
from mujoco_ros_py.mjcf.schema.tables import TABLES, table_for, version_of, version_written

OTHER = 'MuJoCo 0.0.0\n'


@pytest.fixture
def table():
    """The table of the installed MuJoCo, with the version number of another MuJoCo."""
    text = table_for(version_of(mujoco.__version__)).read_text()
    return text.replace(version_written(text), '0.0.0', 1)


def differences(spec, printed, path='', seen=None):
    """Returns the paths at which the schema and MuJoCo's printed schema have different names."""
    seen = set() if seen is None else seen
    if (spec, printed) in seen:
        return []
    seen.add((spec, printed))
    names = set(spec.attributes) ^ set(printed.attributes or spec.attributes)
    found = [f'{path}@{name}' for name in names]
    found += [f'{path}/{tag}' for tag in set(spec.children) ^ set(printed.children)]
    for tag, child in spec.children.items():
        if tag in printed.children:
            found += differences(child, printed.children[tag], f'{path}/{tag}', seen)
    return found


def test_every_printed_element_and_attribute_is_in_the_schema_and_no_other():
    assert differences(schema.root(), complete(printed_schema())) == []


def test_a_table_that_lacks_nothing_warns_of_nothing(table):
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        assert differences(installed_schema(table), complete(printed_schema())) == []


def test_what_the_table_lacks_is_taken_as_strings_with_one_warning(table):
    old = re.sub(r'\n +@(condim|impratio) .*', '', table)
    old = re.sub(r'\n        light \*[^*]*?(?=\n        \w)', '', old)
    old = re.sub(r'\n        exclude \*.*(\n            @.*)*', '', old)
    with pytest.warns(schema.SchemaWarning) as told:
        root = installed_schema(old)
    (warning,) = told
    for name in ('option@impratio', 'worldbody/geom@condim', 'contact/exclude'):
        assert name in str(warning.message)
    condim = root.children['worldbody'].children['body'].children['geom'].attributes['condim']
    assert (condim.kind, condim.default) == ('string', None)
    exclude = root.children['contact'].children['exclude']
    assert exclude.repeated
    assert set(exclude.attributes) == {'name', 'body1', 'body2'}
    assert differences(root, complete(printed_schema())) == []


def test_what_the_installed_version_lacks_is_dropped_without_a_word(table):
    newer = table.replace(
        '\n    option !\n', '\n    option !\n        @warp  real\n        maze !\n'
    )
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        root = installed_schema(newer)
    assert 'warp' not in root.children['option'].attributes
    assert 'maze' not in root.children['option'].children


@pytest.mark.parametrize(
    ('version', 'table'),
    [
        ((4, 0), (4, 0)),
        ((4, 7), (4, 0)),
        ((3, 17), (3, 17)),
        ((3, 99), (3, 17)),
        ((3, 1), (3, 17)),
    ],
)
def test_the_newest_table_that_is_not_newer_counts(version, table):
    assert table_for(version) == TABLES / f'mujoco_{table[0]}_{table[1]}.txt'
