"""Models written with their files, and read from zips."""

from __future__ import annotations

from zipfile import ZipFile

import mujoco
import pytest

from mujoco_ros_py import mjcf

CUBE = b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
LARGE = CUBE.replace(b'1 0 0', b'2 0 0')
FILES = {'meshes/cube.obj': CUBE, 'meshes/large/cube.obj': LARGE}
MODEL = """
<mujoco model="robot">
  <compiler meshdir="meshes"/>
  <asset><mesh file="cube.obj"/><mesh name="large" file="large/cube.obj"/></asset>
  <worldbody><geom type="mesh" mesh="cube"/></worldbody>
</mujoco>
"""


@pytest.fixture
def model():
    return mjcf.from_xml_string(MODEL, assets=FILES)


def files_in(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob('*')
        if path.is_file()
    }


def test_an_exported_folder_has_the_xml_and_the_assets(model, tmp_path):
    mjcf.export_with_assets(model, tmp_path / 'new/folder')
    expected = {**model.get_assets(), 'robot.xml': model.to_xml_string().encode()}
    assert files_in(tmp_path / 'new/folder') == expected
    mujoco.MjModel.from_xml_path(str(tmp_path / 'new/folder/robot.xml'))


def test_the_xml_can_be_given_a_name_that_ends_with_xml(model, tmp_path):
    model.worldbody.geom[0].pos = 0, 0, 0.123456789
    mjcf.export_with_assets(model, str(tmp_path), 'Other.XML', precision=3)
    assert 'pos="0 0 0.123"' in (tmp_path / 'Other.XML').read_text()
    with pytest.raises(ValueError, match='must end with'):
        mjcf.export_with_assets(model, tmp_path, 'model.png')


def test_numbers_near_to_zero_are_zero(model, tmp_path):
    model.worldbody.geom[0].pos = 0, 0, 0.1
    mjcf.export_with_assets(model, tmp_path, zero_threshold=0.5)
    assert 'pos="0 0 0"' in (tmp_path / 'robot.xml').read_text()


def test_original_names_keep_the_folders(model, tmp_path):
    mjcf.export_with_assets(model, tmp_path, filenames='original')
    assert files_in(tmp_path).keys() == {'robot.xml', *FILES}
    assert mujoco.MjModel.from_xml_path(str(tmp_path / 'robot.xml')).nmesh == 2
    assert mjcf.from_path(tmp_path / 'robot.xml').get_assets() == model.get_assets()


def test_original_names_that_clash_are_hashed(model, tmp_path):
    other = mjcf.from_xml_string(
        '<mujoco model="b"><asset><mesh file="meshes/cube.obj"/></asset></mujoco>',
        assets={'meshes/cube.obj': LARGE},
    )
    model.attach(other)
    mjcf.export_with_assets(model, tmp_path, filenames='original')
    names = set(files_in(tmp_path))
    assert 'meshes/large/cube.obj' in names
    assert 'meshes/cube.obj' not in names
    assert len(names) == 4
    assert mujoco.MjModel.from_xml_path(str(tmp_path / 'robot.xml')).nmesh == 3


def test_files_from_elsewhere_stay_within_the_folder(tmp_path):
    (tmp_path / 'model').mkdir()
    (tmp_path / 'cube.obj').write_bytes(CUBE)
    for file in ('../cube.obj', str(tmp_path / 'cube.obj'), 'a/../../cube.obj'):
        model = mjcf.from_xml_string(
            f'<mujoco model="../up"><asset><mesh file="{file}"/></asset></mujoco>',
            model_dir=str(tmp_path / 'model'),
        )
        mjcf.export_with_assets(model, tmp_path / 'out', filenames='original')
        assert files_in(tmp_path / 'out').keys() == {'.._up.xml', 'cube.obj'}


def test_a_file_that_is_called_as_the_xml_is_refused(tmp_path):
    child = b'<mujoco/>'
    model = mjcf.from_xml_string(
        '<mujoco model="m"><asset><model file="m.xml"/></asset></mujoco>', assets={'m.xml': child}
    )
    with pytest.raises(ValueError, match=r'm\.xml'):
        mjcf.export_with_assets(model, tmp_path, filenames='plain')
    with pytest.raises(ValueError, match='written'):
        mjcf.export_with_assets(model, tmp_path, filenames='written')


@pytest.mark.parametrize('filenames', ['hashed', 'plain', 'original'])
def test_an_exported_zip_is_read_again(model, tmp_path, filenames):
    path = mjcf.export_with_assets_as_zip(model, tmp_path / 'new', filenames=filenames)
    assert path == str(tmp_path / 'new/robot.zip')
    again = mjcf.from_zip(path)
    assert again.to_xml_string() == model.to_xml_string()
    assert again.get_assets() == model.get_assets()


def test_a_zip_has_a_folder_of_its_name(model, tmp_path):
    path = mjcf.export_with_assets_as_zip(model, tmp_path, 'other')
    with ZipFile(path) as archive:
        names = set(archive.namelist())
    assert names == {'other/other.xml', *(f'other/{name}' for name in model.get_assets())}


def zipped(folder, files):
    with ZipFile(folder / 'model.zip', 'w') as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return folder / 'model.zip'


def test_one_of_several_xml_files_is_told_by_its_name(tmp_path):
    including = '<mujoco><include file="part.xml"/></mujoco>'
    part = '<mujoco model="part"><worldbody><geom name="g"/></worldbody></mujoco>'
    path = zipped(tmp_path, {'a/model.xml': including, 'a/part.xml': part})
    assert mjcf.from_zip(path).find('geom', 'g') is not None
    assert mjcf.from_zip(path, 'a/part.xml').model == 'part'
    with pytest.raises(ValueError, match=r'a/model\.xml, a/part\.xml'):
        mjcf.from_zip(path, 'other.xml')


def test_a_zip_without_xml_and_a_file_that_is_no_zip_are_refused(tmp_path):
    with pytest.raises(ValueError, match='none'):
        mjcf.from_zip(zipped(tmp_path, {'a.txt': ''}))
    (tmp_path / 'a.zip').write_bytes(b'PK\x03\x04 no zip')
    with pytest.raises(ValueError, match='is not a readable zip file'):
        mjcf.from_zip(tmp_path / 'a.zip')


def test_two_files_of_a_name_in_a_zip_ask_for_the_path(tmp_path):
    path = zipped(tmp_path, {'a/model.xml': '<mujoco/>', 'b/model.xml': '<mujoco/>'})
    with pytest.raises(ValueError, match='has: a'):
        mjcf.from_zip(path)
