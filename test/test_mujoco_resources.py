"""Files that models name, and resources that providers serve."""

from __future__ import annotations

import pytest

from mujoco_ros_py import mujoco_resources as resources
from mujoco_ros_py.engine.resources import ResourceProvider, register
from mujoco_ros_py.engine.resources.shipped_providers import standing_alone


class Notes(ResourceProvider):
    """Serves one text any number of times."""

    prefix = 'notes'

    def read(self, uri):
        if uri != 'notes://shelf/a.txt':
            raise FileNotFoundError('there is only a.txt')
        return b'hello'


def test_the_prefixes_of_the_shipped_providers_are_known():
    assert set(resources.SHIPPED) == {'mem', *standing_alone()}


@pytest.fixture(autouse=True)
def notes():
    register(Notes)


@pytest.mark.parametrize(
    ('folder', 'path', 'whole'),
    [
        ('', 'a/../b', 'b'),
        ('frag', '../c', 'c'),
        ('..', 'c', '../c'),
        ('frag', 'deep\\c', 'frag/deep/c'),
        ('/a/b', '../c', '/a/c'),
        ('frag', '/c/../d', '/c/../d'),
        ('notes://shelf/frag', '../c', 'notes://shelf/c'),
        ('frag', 'notes:c', 'notes:c'),
        ('frag', 'unknown://c', 'unknown://c'),
        ('frag', 'unknown:c', 'frag/unknown:c'),
    ],
)
def test_a_path_is_joined_with_its_folder_as_mujoco_joins_them(folder, path, whole):
    assert resources.joined(folder, path) == whole


def test_a_file_and_what_a_provider_serves_are_read_in_the_same_way(tmp_path):
    (tmp_path / 'a.txt').write_bytes(b'file')
    for folder, content in ((str(tmp_path), b'file'), ('notes://shelf', b'hello')):
        assert resources.read(folder, 'a.txt') == content
        assert resources.exists(folder, 'a.txt')


def test_something_that_is_missing_is_an_error_with_the_reason(tmp_path):
    assert not resources.exists(str(tmp_path), 'b.txt')
    with pytest.raises(FileNotFoundError, match='No such file'):
        resources.read(str(tmp_path), 'b.txt')
    with pytest.raises(OSError, match=r'^notes://shelf/b.txt: there is only a\.txt$'):
        resources.read('notes://shelf', 'b.txt')
    with pytest.raises(FileNotFoundError, match="no resource provider for 'nobody' is registered"):
        resources.read('', 'nobody://shelf/a.txt')


def test_no_path_leads_out_of_a_folder_that_does_not_exist(tmp_path):
    (tmp_path / 'a.txt').write_bytes(b'file')
    with pytest.raises(FileNotFoundError):
        resources.read(f'{tmp_path}/model.zip!', '../a.txt')
