"""Models with all their files."""

import os
import zipfile
from pathlib import Path

import pytest

from mujoco_ros_py import mjcf


@pytest.fixture
def robot(folder):
    Path('parts/meshes').mkdir(parents=True)
    Path('parts/meshes/a.stl').write_bytes(b'mesh')
    Path('parts/robot.xml').write_text(
        '<mujoco model="m"><compiler meshdir="meshes"/>'
        '<asset><mesh file="a.stl"/></asset></mujoco>'
    )


def files(folder):
    return sorted(str(p.relative_to(folder)) for p in Path(folder).rglob('*') if p.is_file())


@pytest.mark.parametrize(
    ('names', 'mesh'), [([], 'meshes/a.stl'), (['--names', 'plain'], 'a.stl')]
)
def test_a_folder_has_the_model_and_its_files(call, robot, names, mesh):
    assert call('export', 'parts/robot.xml', '-o', 'out', *names) == (0, '', '')
    assert files('out') == sorted([mesh, 'robot.xml'])
    (found,) = mjcf.diff(mjcf.from_path('parts/robot.xml'), mjcf.from_path('out/robot.xml'))
    assert found.summary == 'changed compiler meshdir: "meshes" -> none'


def test_hashed_names_are_an_option(call, robot):
    assert call('export', 'parts/robot.xml', '-o', 'out', '--names', 'hashed').code == 0
    assert [name for name in files('out') if name.startswith('a-')]


def test_a_zip_has_them_too_and_can_be_read_by_the_other_commands(call, robot):
    assert call('export', 'parts/robot.xml', '-o', 'out/r.zip') == (0, '', '')
    with zipfile.ZipFile('out/r.zip') as archive:
        assert sorted(archive.namelist()) == ['r/meshes/a.stl', 'r/r.xml']
    assert call('validate', '--no-compile', 'out/r.zip') == (0, '', '')
    assert call('export', 'out/r.zip', '-o', 'again').code == 0
    assert files('again') == ['meshes/a.stl', 'r.xml']


@pytest.mark.parametrize('out', ['parts', 'there.zip'])
def test_what_is_there_is_replaced_only_by_force(call, robot, out):
    Path('there.zip').write_bytes(b'before')
    before = Path('parts/robot.xml').read_bytes()
    code, _, err = call('export', 'parts/robot.xml', '-o', out)
    assert code == 2
    assert err.endswith(': is there already; --force replaces it\n')
    assert Path('parts/robot.xml').read_bytes() == before
    assert Path('there.zip').read_bytes() == b'before'
    assert call('export', 'parts/robot.xml', '-o', out, '--force').code == 0


def test_a_file_that_is_missing_is_told_and_nothing_is_written(call, robot):
    os.remove('parts/meshes/a.stl')
    code, out, err = call('export', 'parts/robot.xml', '-o', 'out')
    assert (code, out) == (2, '')
    assert err.startswith('parts/robot.xml: <mesh file="a.stl"/>')
    assert err.count('\n') == 1
    assert not Path('out').exists()


@pytest.mark.parametrize('file', ['none.xml', '.', 'broken.xml'])
def test_what_cannot_be_read_is_told(call, file):
    Path('broken.xml').write_text('<mujoco>')
    code, _, err = call('export', file, '-o', 'out')
    assert code == 2
    assert err.startswith(file)


def test_an_output_is_needed(call):
    assert call('export', 'good.xml').code == 2
