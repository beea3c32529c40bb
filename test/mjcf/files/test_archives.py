"""Broken and malicious zip files."""

from __future__ import annotations

import re
import struct
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfError
from mujoco_ros_py.mjcf.files import archives

MODEL = b'<mujoco model="robot"/>'
LOCAL, LIST = b'PK\3\4', b'PK\1\2'
GIB = 2**30


@pytest.fixture
def path(tmp_path):
    return tmp_path / 'robot.zip'


def pack(path, *names, content=MODEL, method=ZIP_DEFLATED):
    with ZipFile(path, 'w', method) as archive:
        for name in names:
            archive.writestr(name, content)


def change(path, old, new):
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))


def edit(path, record, offset, new):
    """Overwrites bytes of the archive, `offset` bytes after the start of the record."""
    content = bytearray(path.read_bytes())
    begin = content.index(record) + offset
    content[begin : begin + len(new)] = new
    path.write_bytes(content)


def check_refused(path, reason):
    with pytest.raises(MjcfError, match=f'^{re.escape(f"{path} {reason}")}') as caught:
        mjcf.from_zip(path)
    return str(caught.value)


def test_a_small_zip_of_huge_files_is_refused_before_it_is_unpacked(path):
    pack(path, 'model.xml', 'a.obj', 'b.obj')
    change(path, struct.pack('<L', len(MODEL)), struct.pack('<L', GIB // 2))
    check_refused(
        path, 'has 1,610,612,736 bytes unpacked; a zip file can have at most 1,073,741,824'
    )


def test_a_zip_that_is_itself_too_large_is_refused_before_it_is_read(path):
    with path.open('wb') as file:
        file.truncate(4 * GIB)  # a sparse file, which uses no disk space
    check_refused(path, 'has 4,294,967,296 bytes; a zip file can have at most 1,073,741,824')


def test_ten_thousand_files_are_enough(path, monkeypatch):
    assert archives.MAX_FILES == 10_000
    monkeypatch.setattr(archives, 'MAX_FILES', 10)
    pack(path, 'model.xml', *map(str, range(9)))
    assert mjcf.from_zip(path).model == 'robot'
    pack(path, 'model.xml', *map(str, range(10)))
    check_refused(path, 'has more than 10 files')


@pytest.mark.parametrize(
    'name',
    ['../a.obj', 'a/../../b.obj', 'a/..', '/a.obj', '..\\a.obj', '\\a.obj', 'C:\\a.obj'],
)
def test_a_name_that_leads_out_of_the_zip_is_refused(path, name):
    pack(path, 'model.xml', name)
    check_refused(path, f'has a file {name!r} that leads out of the archive')


@pytest.mark.parametrize('name', ['a..b/c..obj', '...', 'a/...obj', 'ä b/c:d.obj'])
def test_names_with_dots_colons_and_other_letters_are_names(path, name):
    pack(path, 'model.xml', name)
    assert mjcf.from_zip(path).assets[name] == MODEL


def test_a_file_without_a_name_is_refused(path):
    pack(path, 'abcd')
    change(path, b'abcd', b'ab\0\0')  # the four bytes become an empty extra field
    edit(path, LOCAL, 26, struct.pack('<HH', 0, 4))
    edit(path, LIST, 28, struct.pack('<HH', 0, 4))
    check_refused(path, "has a file '' that leads out of the archive")


def test_an_encrypted_file_is_refused(path):
    pack(path, 'model.xml')
    edit(path, LOCAL, 6, b'\1')
    edit(path, LIST, 8, b'\1')
    check_refused(path, "has an encrypted file 'model.xml'")


def test_a_file_that_takes_as_much_memory_as_it_says_is_refused(path):
    pack(path, 'model.xml', method=ZIP_LZMA)
    check_refused(path, "has a file 'model.xml' that is not compressed with deflate")


@pytest.mark.parametrize('method', [ZIP_STORED, ZIP_DEFLATED])
def test_a_broken_file_is_refused(path, method):
    pack(path, 'model.xml', method=method)
    edit(path, b'model.xml', len('model.xml') + 5, b'?')
    check_refused(path, 'cannot be unpacked: ')


def test_a_zip_that_is_cut_off_is_refused(path):
    pack(path, 'model.xml')
    path.write_bytes(path.read_bytes()[:-30])
    check_refused(path, 'is not a readable zip file: ')


def test_what_macos_adds_is_no_model(path):
    pack(path, 'robot/robot.xml', '__MACOSX/robot/._robot.xml')
    assert mjcf.from_zip(path).model == 'robot'


def test_the_name_of_a_model_may_be_in_capitals(tmp_path):
    path = tmp_path / 'robot.zip'
    pack(path, 'ROBOT.XML')
    assert mjcf.from_zip(path).model == 'robot'


def test_a_model_may_be_called_as_its_zip(tmp_path):
    path = tmp_path / 'robot.zip'
    pack(path, 'robot/robot.xml', 'robot/part.xml')
    assert mjcf.from_zip(path).model == 'robot'
    with pytest.raises(ValueError, match=r'robot/part\.xml'):
        mjcf.from_zip(path, 'other.xml')


@pytest.mark.parametrize('name', ['part.xml', '../{}/part.xml', '{}/part.xml'])
def test_a_model_in_a_zip_includes_no_file_of_the_disk(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    part = '<mujocoinclude><option timestep="7"/></mujocoinclude>'
    (tmp_path / 'part.xml').write_text(part)
    file = name.format(tmp_path.name if name.startswith('..') else tmp_path)
    with ZipFile('robot.zip', 'w') as archive:
        archive.writestr('model.xml', f'<mujoco><include file="{file}"/></mujoco>')
    with pytest.raises(MjcfError):
        mjcf.from_zip('robot.zip')
