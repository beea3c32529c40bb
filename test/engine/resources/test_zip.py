from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import mujoco
import pytest

from mujoco_ros_py.engine.resources import Zip, read, register
from mujoco_ros_py.errors import ResourceError

from .assets import OBJ, ROBOT, check_robot, with_meshes


@pytest.fixture
def archive(tmp_path) -> Path:
    register(Zip(limit=10**6))
    return packed(tmp_path / 'robot.zip', {f'robot/{name}': file for name, file in ROBOT.items()})


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def refusal(uri: str) -> str:
    with pytest.raises(ResourceError) as caught:
        read(uri)
    assert str(caught.value).startswith(f'{uri}: ')
    return str(caught.value).removeprefix(f'{uri}: ')


def test_a_model_with_all_that_it_names_is_loaded_from_an_archive(archive):
    check_robot(mujoco.MjModel.from_xml_path(f'zip:{archive}!/robot/main.xml'))


def test_a_file_of_an_archive_is_part_of_another_model(archive):
    uri = f'zip:{archive}!/robot/hand/../meshes/arm.obj'
    assert mujoco.MjModel.from_xml_string(with_meshes(uri)).nmesh == 1


def test_an_archive_may_lie_in_a_package(archive, tmp_path, monkeypatch):
    index = tmp_path / 'share/ament_index/resource_index/packages'
    index.mkdir(parents=True)
    (index / 'arm').touch()
    (tmp_path / 'share/arm').mkdir()
    archive.rename(tmp_path / 'share/arm/robot.zip')
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    model = mujoco.MjModel.from_xml_path('zip:package://arm/robot.zip!/robot/main.xml')
    check_robot(model)


def test_an_archive_is_found_in_the_working_directory(archive, monkeypatch):
    monkeypatch.chdir(archive.parent)
    check_robot(mujoco.MjModel.from_xml_path('zip:robot.zip!/robot/main.xml'))


def test_a_file_of_a_new_archive_is_read_anew(tmp_path, archive):
    text = with_meshes(f'zip:{archive}!/a.obj')
    for vertices in (4, 5, 6):
        packed(archive, {'a.obj': OBJ + b'v 2 2 2\n' * (vertices - 4)})
        assert mujoco.MjModel.from_xml_string(text).nmeshvert == vertices


def test_a_uri_without_a_file_in_the_archive_is_refused(archive):
    assert refusal(f'zip:{archive}') == 'must be zip:<archive>!/<path>'


def test_an_unknown_file_is_an_error_that_tells_what_is_near(archive):
    said = refusal(f'zip:{archive}!/robot/meshes/arm.stl')
    assert said == 'no such file in the archive; it contains robot/meshes/arm.obj'
    said = refusal(f'zip:{archive}!/x')
    assert said.startswith('no such file in the archive; it contains robot/main.xml, robot/parts/')


@pytest.mark.parametrize('path', ['..', '../robot.zip', 'robot/../../robot.zip'])
def test_a_path_that_leads_out_of_the_archive_is_refused(archive, path):
    assert refusal(f'zip:{archive}!/{path}') == 'leads out of the archive'


def test_what_is_no_archive_is_refused(tmp_path, archive):
    (tmp_path / 'bad.zip').write_bytes(OBJ)
    said = refusal(f'zip:{tmp_path}/bad.zip!/a.obj')
    assert said == f'{tmp_path}/bad.zip is not a zip archive: File is not a zip file'
    assert 'No such file' in refusal(f'zip:{tmp_path}/none.zip!/a.obj')
    assert 'is not a file' in refusal(f'zip:{tmp_path}!/a.obj')


def test_an_archive_that_is_cut_off_is_refused(archive):
    archive.write_bytes(archive.read_bytes()[:-30])
    assert 'is not a zip archive' in refusal(f'zip:{archive}!/robot/main.xml')


def test_a_file_with_other_content_than_it_should_have_is_refused(tmp_path, archive):
    with zipfile.ZipFile(archive, 'w', zipfile.ZIP_STORED) as file:
        file.writestr('a.obj', OBJ)
    archive.write_bytes(archive.read_bytes().replace(OBJ, OBJ.swapcase()))
    said = refusal(f'zip:{archive}!/a.obj')
    assert said == "cannot be unpacked: Bad CRC-32 for file 'a.obj'"


def test_a_small_archive_with_a_huge_file_is_refused_before_it_is_unpacked(archive):
    packed(archive, {'bomb.obj': bytes(2_000_000)})
    assert archive.stat().st_size < 10**5
    said = refusal(f'zip:{archive}!/bomb.obj')
    assert said == 'must have at most 1,000,000 bytes, got 2,000,000'


def test_an_archive_that_lies_about_a_size_gives_no_more_than_it_says(archive):
    packed(archive, {'bomb.obj': bytes(2_000_000)})
    content = archive.read_bytes()
    size = (2_000_000).to_bytes(4, sys.byteorder)
    assert content.count(size) == 2
    archive.write_bytes(content.replace(size, (1000).to_bytes(4, sys.byteorder)))
    assert refusal(f'zip:{archive}!/bomb.obj').startswith('cannot be unpacked: ')


def test_of_an_archive_of_anything_no_names_are_told(tmp_path):
    register(Zip)
    archive = packed(tmp_path / 'any.zip', {'letters/s3cret.txt': b'dear', 's3cret.pdf': b'%'})
    assert refusal(f'zip:{archive}!/letters/s3cre.txt') == 'no such file in the archive'
