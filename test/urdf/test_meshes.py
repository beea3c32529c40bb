import re
import struct

import numpy as np
import pytest

from mujoco_ros_py.errors import UrdfError
from mujoco_ros_py.urdf import read_urdf_file

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
OBJ = '\n'.join(
    [f'v {x} {y} {z}' for x, y, z in CORNERS] + [f'f {a + 1} {b + 1} {c + 1}' for a, b, c in FACES]
).encode()
STL_TEXT = (
    'solid part\n'
    + ''.join(
        'facet normal 0 0 0\nouter loop\n'
        + ''.join(f'vertex {x} {y} {z}\n' for x, y, z in CORNERS[face])
        + 'endloop\nendfacet\n'
        for face in FACES
    )
    + 'endsolid'
).encode()
STL = (
    b'solid, though binary'.ljust(80)
    + struct.pack('<I', len(FACES))
    + b''.join(
        struct.pack('<12fH', 0, 0, 0, *CORNERS[face].astype(float).ravel(), 0) for face in FACES
    )
)
COLLADA = f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit meter="0.1"/><up_axis>Y_UP</up_axis></asset>
  <library_effects><effect id="fx"><profile_COMMON><technique sid="t"><lambert>
    <diffuse><color>1 0.5 0 1</color></diffuse></lambert></technique></profile_COMMON></effect>
  </library_effects>
  <library_materials><material id="orange"><instance_effect url="#fx"/></material>
  </library_materials>
  <library_geometries><geometry id="g"><mesh>
    <source id="p">
      <float_array id="pa" count="12">{' '.join(map(str, CORNERS.ravel()))}</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles material="paint" count="2">
      <input semantic="VERTEX" source="#v" offset="0"/>
      <input semantic="NORMAL" source="#p" offset="1"/>
      <p>{' '.join(f'{k} 0' for k in FACES[:2].ravel())}</p></triangles>
    <polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/>
      <vcount>3 3</vcount><p>{' '.join(map(str, FACES[2:].ravel()))}</p></polylist>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node>
    <translate>0 0 5</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>
    <instance_geometry url="#g"><bind_material><technique_common>
      <instance_material symbol="paint" target="#orange"/></technique_common></bind_material>
    </instance_geometry></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>""".encode()


def nested(depth):
    """Returns a small COLLADA file in which each node contains the next node twice."""
    nodes = ''.join(
        f'<node id="n{k}"><instance_node url="#n{k + 1}"/><instance_node url="#n{k + 1}"/></node>'
        for k in range(depth)
    )
    return COLLADA.replace(b'<visual_scene id="s">', f'<visual_scene id="s">{nodes}'.encode())


def shape(kind, file, more=''):
    return f'<{kind}><geometry><mesh filename="{file}" {more}/></geometry></{kind}>'


def corners(robot, geom):
    """Returns the vertices of a geom's mesh in the frame of its link."""
    model, data = robot.model, robot.data
    mesh = model.geom_dataid[geom]
    start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    turned = data.geom_xmat[geom].reshape(3, 3)
    points = model.mesh_vert[start : start + count] @ turned.T + data.geom_xpos[geom]
    body = model.geom_bodyid[geom]
    return (points - data.xpos[body]) @ data.xmat[body].reshape(3, 3)


def test_the_same_mesh_comes_from_every_format(arm):
    files = {'a.obj': OBJ, 'b.stl': STL, 'c.STL': STL_TEXT}
    robot = arm(upper=''.join(shape('collision', name) for name in files), assets=files)
    for geom in (1, 2, 3):
        found = corners(robot, geom)
        assert len(found) == 4
        assert sorted(map(tuple, found.round(5).tolist())) == sorted(map(tuple, CORNERS))


def test_a_mesh_is_scaled_and_is_an_asset_once_for_each_scale(arm):
    robot = arm(
        upper=shape('collision', 'a.obj', 'scale="2 1 -1"')
        + shape('visual', 'a.obj', 'scale="2 1 -1"')
        + shape('visual', 'a.obj', 'scale="1 1 1"'),
        assets={'a.obj': OBJ},
    )
    assert robot.model.nmesh == 2
    found = {tuple(row) for row in corners(robot, 1).round(5) + 0.0}
    assert found == {(0, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, -1)}


def test_a_collada_file_has_its_unit_its_nodes_and_its_colours(arm):
    robot = arm(upper=shape('visual', 'a.dae'), assets={'a.dae': COLLADA})
    model = robot.model
    assert model.nmesh == 2
    assert sorted(model.geom_rgba[1:].round(3).tolist()) == [[0.5, 0.5, 0.5, 1], [1, 0.5, 0, 1]]
    found = {tuple(row) for row in np.concatenate([corners(robot, k) for k in (1, 2)]).round(5)}
    assert found == {(0, 0, 0.5), (0, 0.2, 0.5), (-0.2, 0, 0.5), (0, 0, 0.7)}


def test_a_collada_file_is_one_mesh_where_the_urdf_has_a_colour_and_where_it_collides(arm):
    red = '<material name=""><color rgba="1 0 0 1"/></material></visual>'
    visual = shape('visual', 'a.dae').replace('</visual>', red)
    robot = arm(upper=visual + shape('collision', 'a.dae'), assets={'a.dae': COLLADA})
    assert robot.model.nmesh == 1
    assert robot.model.ngeom == 3


def test_a_part_of_a_single_triangle_is_a_mesh(arm):
    one = COLLADA.replace(b'count="2">', b'count="1">').replace(
        ' '.join(f'{k} 0' for k in FACES[:2].ravel()).encode(), b'0 0 1 0 2 0'
    )
    robot = arm(upper=shape('visual', 'a.dae'), assets={'a.dae': one})
    assert sorted(robot.model.mesh_facenum) == [1, 2]


@pytest.mark.parametrize(
    ('content', 'reason'),
    [
        (b'<COLLADA', "'a.dae' cannot be read: not well-formed"),
        (b'<COLLADA/>', "'a.dae' cannot be read: the scene has no triangles"),
        (
            COLLADA.replace(b'2 1', b'2 9', 1),
            "'a.dae' cannot be read: a triangle refers to vertex 9",
        ),
        (COLLADA.replace(b'stride="3"', b'stride="0"'), 'stride of positions must be at least 3'),
        (
            COLLADA.replace(b'<node>', b'<node id="n"><instance_node url="#n"/>'),
            "node 'n' is nested in itself",
        ),
        (nested(40), 'the scene has more than 100,000 nodes'),
    ],
)
def test_what_is_wrong_with_a_collada_file_is_told(arm, content, reason):
    with pytest.raises(UrdfError, match=re.escape(reason)):
        arm(upper=shape('visual', 'a.dae'), assets={'a.dae': content})


def test_meshes_of_an_unknown_format_are_left_out(arm):
    robot = arm(upper=shape('visual', 'a.ply'))
    assert robot.told("of the unknown format '.ply'").endswith(': a.ply')
    assert robot.model.ngeom == 1


@pytest.mark.parametrize(
    'written', ['meshes/a.obj', 'package://{}/meshes/a.obj', 'file://{}/a.obj']
)
def test_files_are_beside_the_urdf_in_packages_and_anywhere(tmp_path, monkeypatch, written):
    share = tmp_path / 'share' / 'robot'
    index = tmp_path / 'share/ament_index/resource_index/packages'
    (share / 'meshes').mkdir(parents=True)
    index.mkdir(parents=True)
    (index / 'robot').touch()
    (share / 'meshes/a.obj').write_bytes(OBJ)
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    name = written.format('robot' if 'package' in written else share / 'meshes')
    text = f'<robot name="r"><link name="a">{shape("visual", name)}</link></robot>'
    (share / 'robot.urdf').write_text(text)
    for path in (share / 'robot.urdf', 'package://robot/robot.urdf'):
        assert read_urdf_file(path).model.find('mesh', 'a').file.contents == OBJ


def test_a_texture_is_that_of_its_material(arm, tmp_path):
    from PIL import Image

    Image.new('RGB', (4, 4), 'red').save(tmp_path / 'red.png')
    visual = (
        '<visual><geometry><box size="1 1 1"/></geometry>'
        '<material name="{0}"><texture filename="{0}"/></material></visual>'
    )
    robot = arm(upper=visual.format('red.png') + visual.format('b.jpg'), folder=str(tmp_path))
    assert robot.model.ntex == 1
    assert robot.told('not PNG files').endswith(': b.jpg')
