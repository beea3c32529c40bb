"""Files named by a model."""

from __future__ import annotations

import copy
import hashlib
import time

import mujoco
import pytest

from mujoco_ros_py import mjcf

CUBE = b"""v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""
LARGE = CUBE.replace(b'1 0 0', b'2 0 0')
MODEL = """
<mujoco model="{name}">
  <compiler {compiler}/>
  <asset><mesh file="{file}"/></asset>
  <worldbody><body><geom name="g" type="mesh" mesh="cube"/></body></worldbody>
</mujoco>
"""


def text(file='cube.obj', compiler='', name='m'):
    return MODEL.format(file=file, compiler=compiler, name=name)


def read(file='cube.obj', compiler='', name='m', **where):
    where = where or {'assets': {'cube.obj': CUBE}}
    return mjcf.from_xml_string(text(file, compiler, name), **where)


def compiled(model):
    return mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())


def test_a_file_is_an_asset_with_content_extension_and_prefix():
    file = read().asset.mesh[0].file
    assert isinstance(file, mjcf.Asset)
    assert (file.contents, file.extension, file.prefix) == (CUBE, '.obj', 'cube')
    assert file.get_vfs_filename() == f'cube-{hashlib.sha1(CUBE).hexdigest()}.obj'
    assert file.get_vfs_filename(filename_with_hash=False) == 'cube.obj'


def test_an_asset_without_a_prefix_is_called_by_its_hash():
    asset = mjcf.Asset(b'x', '.png')
    hashed = f'{hashlib.sha1(b"x").hexdigest()}.png'
    assert asset.get_vfs_filename() == asset.get_vfs_filename(False) == hashed


def test_a_long_prefix_leaves_room_for_the_hash():
    assert len(mjcf.Asset(b'x', '.png', 'a' * 2000).get_vfs_filename()) == 998


def test_assets_are_equal_by_name_and_content():
    asset = mjcf.Asset(b'x', '.png', 'a')
    assert asset == mjcf.Asset('x', '.png', 'a')
    assert asset != mjcf.Asset(b'y', '.png', 'a')
    assert asset != mjcf.Asset(b'x', '.png', 'b')


def test_other_contents_have_another_hash():
    asset = mjcf.Asset(b'x', '.png', 'a')
    before = asset.get_vfs_filename()
    asset.contents = b'y'
    assert asset.get_vfs_filename() != before


@pytest.mark.parametrize(
    ('file', 'compiler', 'lies'),
    [
        ('cube.obj', '', 'cube.obj'),
        ('a/cube.obj', '', 'a/cube.obj'),
        ('cube.obj', 'meshdir="a"', 'a/cube.obj'),
        ('cube.obj', 'assetdir="a"', 'a/cube.obj'),
        ('cube.obj', 'assetdir="b" meshdir="a/"', 'a/cube.obj'),
        ('b/../cube.obj', 'meshdir="./a"', 'a/cube.obj'),
        ('b/cube.obj', 'meshdir="a" strippath="true"', 'a/cube.obj'),
    ],
)
def test_files_are_found_as_mujoco_finds_them(file, compiler, lies, tmp_path):
    (tmp_path / 'b').mkdir()
    (tmp_path / lies).parent.mkdir(exist_ok=True)
    (tmp_path / lies).write_bytes(CUBE)
    (tmp_path / 'm.xml').write_text(text(file, compiler))
    mujoco.MjModel.from_xml_path(str(tmp_path / 'm.xml'))
    model = mjcf.from_path(tmp_path / 'm.xml')
    assert model.asset.mesh[0].file.contents == CUBE
    assert compiled(model).nmeshvert == 4
    assert read(file, compiler, assets={lies: CUBE}).asset.mesh[0].file.contents == CUBE


def test_the_given_assets_come_before_the_folder(tmp_path):
    (tmp_path / 'cube.obj').write_bytes(CUBE)
    model = read(model_dir=str(tmp_path), assets={'cube.obj': LARGE})
    assert model.asset.mesh[0].file.contents == LARGE


def test_assets_are_found_by_the_name_as_written_too():
    model = read(compiler='meshdir="a"', assets={'cube.obj': CUBE})
    assert model.asset.mesh[0].file.contents == CUBE


def test_files_are_read_when_their_content_is_asked_for(tmp_path):
    model = read(model_dir=str(tmp_path))
    assert str(model.asset.mesh[0]) == '<mesh file="cube.obj"/>'
    assert model.asset.mesh[0].file.prefix == 'cube'
    (tmp_path / 'cube.obj').write_bytes(CUBE)
    assert model.asset.mesh[0].file.contents == CUBE


def test_reading_a_file_leaves_the_model_as_it_is():
    model = mjcf.from_xml_string(
        '<mujoco><asset><mesh file="cube.obj"/></asset></mujoco>', assets={'cube.obj': CUBE}
    )
    model.get_assets()
    assert [child.tag for child in model.all_children()] == ['asset']


def test_a_missing_file_is_told_with_its_element_its_path_and_what_is_there(tmp_path):
    (tmp_path / 'cubic.obj').write_bytes(CUBE)
    model = read(model_dir=str(tmp_path))
    with pytest.raises(FileNotFoundError) as caught:
        model.to_xml_string()
    for part in ('<mesh file="cube.obj"/>', str(tmp_path / 'cube.obj'), 'cubic.obj'):
        assert part in str(caught.value)


def test_a_path_that_is_set_is_read_at_once(tmp_path):
    model = mjcf.RootElement(model_dir=str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r'nope\.obj'):
        model.asset.add('mesh', file='nope.obj')
    (tmp_path / 'cube.obj').write_bytes(CUBE)
    mesh = model.asset.add('mesh', file='cube.obj')
    (tmp_path / 'cube.obj').unlink()
    assert mesh.file.contents == CUBE


def test_a_mesh_takes_the_extensions_that_mujoco_reads():
    model = mjcf.RootElement(assets={'a.ply': b'x'})
    with pytest.raises(ValueError, match=r'\.stl, \.msh, \.obj'):
        model.asset.add('mesh', file='a.ply')
    with pytest.raises(ValueError, match='got 3'):
        model.asset.add('mesh', file=3)
    assert model.asset.add('mesh', file=mjcf.Asset(CUBE, '.OBJ', 'a')).name == 'a'
    assert model.asset.add('mesh', content_type='model/x', file='a.ply', name='b').name == 'b'


def test_files_stay_where_they_are_when_the_directory_changes():
    model = read(compiler='meshdir="a"', assets={'a/cube.obj': CUBE, 'b/cube.obj': LARGE})
    model.compiler.meshdir = 'b'
    assert model.asset.mesh[0].file.contents == CUBE
    assert model.asset.add('mesh', name='new', file='cube.obj').file.contents == LARGE
    assert str(model.asset.mesh[0]) == '<mesh file="../a/cube.obj"/>'
    assert '<mesh file="../a/cube.obj"/>' in model.to_source()
    del model.compiler.meshdir
    assert str(model.asset.mesh[0]) == '<mesh file="a/cube.obj"/>'
    assert str(model.asset.mesh['new']) == '<mesh name="new" file="b/cube.obj"/>'


def test_an_element_without_a_name_is_found_by_that_of_its_file():
    model = read()
    mesh = model.find('mesh', 'cube')
    assert mesh is model.asset.mesh[0] is model.asset.mesh['cube']
    assert mesh.name == 'cube'
    assert model.find('geom', 'g').mesh is mesh
    mesh.name = 'other'
    assert model.find('mesh', 'cube') is None
    assert model.find('geom', 'g').mesh.name == 'other'
    del mesh.name
    assert model.find('mesh', 'cube') is mesh
    assert '<mesh name="cube" file="cube-' in model.to_xml_string()


def test_the_name_follows_the_file():
    model = read(assets={'cube.obj': CUBE, 'dir/large.obj': LARGE})
    mesh = model.asset.mesh[0]
    with pytest.raises(ValueError, match='scale'):
        mesh.set_attributes(file='dir/large.obj', scale='wrong')
    assert model.find('mesh', 'cube') is mesh
    mesh.file = 'dir/large.obj'
    assert model.find('mesh', 'large') is mesh
    assert model.find('geom', 'g').mesh is mesh
    assert compiled(model).mesh('large').id == 0
    del mesh.file
    assert (mesh.name, model.find('mesh', 'large')) == (None, None)


def test_names_of_files_are_taken_too():
    model = read()
    with pytest.raises(ValueError, match='already used'):
        model.asset.add('mesh', name='cube', file='cube.obj')
    with pytest.raises(ValueError, match='already used'):
        model.asset.add('mesh', file='cube.obj')
    assert model.asset.add('mesh', file='cube.obj', name='free').name == 'free'
    twice = text().replace('<mesh', '<mesh file="x/cube.obj"/><mesh')
    with pytest.raises(ValueError, match=r'Line 4.*already used'):
        mjcf.from_xml_string(twice)


@pytest.mark.parametrize('order', [('file', 'name'), ('name', 'file')])
def test_a_name_and_a_file_are_set_in_any_order(order):
    model = read(assets={'cube.obj': CUBE, 'other/cube.obj': LARGE, 'c.obj': CUBE})
    second = model.asset.add('mesh', file='c.obj')
    given = {'file': 'other/cube.obj', 'name': 'large'}
    second.set_attributes(**{key: given[key] for key in order})
    assert model.find('mesh', 'large') is second
    given = {'file': 'c.obj', 'name': None}
    second.set_attributes(**{key: given[key] for key in order})
    assert model.find('mesh', 'c') is second
    assert model.find('mesh', 'cube') is not None


def test_a_name_stays_if_that_of_the_file_is_taken():
    model = read(assets={'cube.obj': CUBE, 'other/cube.obj': LARGE})
    first = model.find('mesh', 'cube')
    second = model.asset.add('mesh', name='large', file='other/cube.obj')
    with pytest.raises(ValueError, match="name 'cube' is already used"):
        del second.name
    assert (model.find('mesh', 'cube'), model.find('mesh', 'large')) == (first, second)


def test_hashed_names_do_not_grow_when_read_again():
    model = read()
    again = mjcf.from_xml_string(model.to_xml_string(), assets=model.get_assets())
    assert again.to_xml_string() == model.to_xml_string()
    assert again.to_xml_string(filename_with_hash=False).count('file="cube.obj"') == 1


def test_names_without_a_hash_have_one_where_they_clash():
    model = read('a/cube.obj', assets={'a/cube.obj': CUBE, 'b/Cube.obj': LARGE})
    assert list(model.get_assets(filename_with_hash=False)) == ['cube.obj']
    model.asset.add('mesh', name='b', file='b/Cube.obj')
    written = model.to_xml_string(filename_with_hash=False)
    assets = model.get_assets(filename_with_hash=False)
    assert len(assets) == 2
    assert all(len(name) > 40 for name in assets)
    assert mujoco.MjModel.from_xml_string(written, assets).nmesh == 2


def test_models_of_different_folders_are_attached(tmp_path):
    for name, content in ('a', CUBE), ('b', LARGE):
        (tmp_path / name / 'meshes').mkdir(parents=True)
        (tmp_path / name / 'meshes/cube.obj').write_bytes(content)
    arena = mjcf.RootElement('arena')
    arena.compiler.meshdir = 'nowhere'
    plain = read(model_dir=str(tmp_path / 'a'), file='meshes/cube.obj', name='a')
    directed = read(model_dir=str(tmp_path / 'b'), compiler='meshdir="meshes"', name='b')
    stripped = read('x/cube.obj', 'strippath="true"', 'c', model_dir=str(tmp_path / 'a/meshes'))
    for model in (plain, directed, stripped):
        arena.attach(model)
    result = compiled(arena)
    vertices = [result.mesh_vert[result.mesh(f'{n}/cube').vertadr[0] :][:4] for n in 'abc']
    assert (vertices[0] == vertices[2]).all()
    assert not (vertices[0] == vertices[1]).all()
    assert len(arena.get_assets()) == 2
    assert directed.find('geom', 'g').mesh.full_identifier == 'b/cube'


def test_files_of_a_model_that_is_included_or_copied_come_along(tmp_path):
    (tmp_path / 'cube.obj').write_bytes(CUBE)
    model = read(compiler='meshdir="."', model_dir=str(tmp_path))
    target = mjcf.RootElement()
    target.compiler.meshdir = 'other'
    target.include_copy(model)
    assert target.get_assets() == model.get_assets() == copy.deepcopy(model).get_assets()
    compiled(target)


def test_a_model_as_an_asset_brings_its_files_along(tmp_path):
    (tmp_path / 'sub/meshes').mkdir(parents=True)
    (tmp_path / 'sub/meshes/cube.obj').write_bytes(CUBE)
    (tmp_path / 'sub/child.xml').write_text(text(compiler='meshdir="meshes"', name='child'))
    model = mjcf.from_xml_string(
        '<mujoco><asset><model name="child" file="sub/child.xml"/></asset>'
        '<worldbody><attach model="child" prefix="p-"/></worldbody></mujoco>',
        model_dir=str(tmp_path),
    )
    assert compiled(model).mesh('p-cube').id == 0
    plain = model.get_assets(filename_with_hash=False)
    assert 'child.xml' in plain
    written = model.to_xml_string(filename_with_hash=False)
    assert mujoco.MjModel.from_xml_string(written, plain).nmesh == 1


def test_each_side_of_a_texture_is_a_file(tmp_path):
    names = ('fileright', 'fileleft', 'fileup', 'filedown', 'filefront', 'fileback')
    sides = ' '.join(f'{name}="{name}.png"' for name in names)
    assets = {f't/{name}.png': name.encode() for name in names}
    model = mjcf.from_xml_string(
        f'<mujoco><compiler texturedir="t"/><asset><texture name="t" {sides}/></asset></mujoco>',
        assets=assets,
    )
    assert sorted(model.get_assets().values()) == sorted(assets.values())


def test_the_time_for_finding_files_grows_as_their_number():
    def seconds(count: int) -> float:
        files = {f'{i}.obj': CUBE for i in range(count)}
        model = mjcf.RootElement(assets=files)
        for name in files:
            model.asset.add('mesh', file=name)
        begin = time.thread_time()  # other processes do not count
        assert len(model.get_assets(filename_with_hash=False)) == count
        return time.thread_time() - begin

    small = min(seconds(50) for _ in range(3))
    assert seconds(1000) < 20 * small * 4
