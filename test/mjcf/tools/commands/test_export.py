"""Export of models with all their files."""

import os
import zipfile
from pathlib import Path

import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.simulation.models.compilation import ModelSource, compile_model


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
    assert err.endswith(': already exists; --force replaces it\n')
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


def test_files_of_another_model_are_replaced_only_by_force(call, robot):
    Path('out/meshes').mkdir(parents=True)
    Path('out/meshes/a.stl').write_bytes(b'of another')
    taken = f'{Path("out/meshes/a.stl")}: already exists; --force replaces it\n'
    assert call('export', 'parts/robot.xml', '-o', 'out') == (2, '', taken)
    assert files('out') == ['meshes/a.stl']
    assert Path('out/meshes/a.stl').read_bytes() == b'of another'
    assert call('export', 'parts/robot.xml', '-o', 'out', '--force').code == 0
    assert Path('out/meshes/a.stl').read_bytes() == b'mesh'


def test_models_share_files_that_are_the_same(call, robot):
    Path('parts/other.xml').write_bytes(Path('parts/robot.xml').read_bytes())
    for name in ('robot', 'other'):
        assert call('export', f'parts/{name}.xml', '-o', 'out').code == 0
    assert files('out') == ['meshes/a.stl', 'other.xml', 'robot.xml']


def test_a_zip_is_called_as_it_is_told(call, robot):
    Path('r.zip').write_bytes(b'before')
    assert call('export', 'parts/robot.xml', '-o', 'r.ZIP') == (0, '', '')
    assert Path('r.zip').read_bytes() == b'before'
    assert zipfile.is_zipfile('r.ZIP')


def test_an_output_that_cannot_be_written_is_told_by_name(call, robot):
    Path('out').write_text('a file')
    code, _, err = call('export', 'parts/robot.xml', '-o', 'out')
    assert code == 2
    assert err.startswith('out')
    assert err.count('\n') == 1


def test_a_model_that_takes_from_others_can_be_read_from_its_zip(call, robot):
    Path('parts/model.xml').write_text(
        '<mujoco><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>'
    )
    Path('parts/scene.xml').write_text(
        '<mujoco><asset><model name="m" file="model.xml"/></asset>'
        '<worldbody><attach model="m" body="b" prefix="its_"/></worldbody></mujoco>'
    )
    assert call('export', 'parts/scene.xml', '-o', 'scene.zip') == (0, '', '')
    assert call('validate', 'scene.zip') == (0, '', '')
    assert compile_model(ModelSource(path='scene.zip')).nbody == 2
