"""GLB files, read by a library."""

from __future__ import annotations

import json
import re
import struct

import numpy as np
import pytest

from mujoco_ros_py.errors import UrdfError
from mujoco_ros_py.urdf import glb

from .test_meshes import CORNERS, FACES, corners, shape

NUMBERS = CORNERS.astype('<f4').tobytes() + FACES.astype('<u2').tobytes()
DOCUMENT = {
    'asset': {'version': '2.0'},
    'scene': 0,
    'scenes': [{'nodes': [0]}],
    'nodes': [
        {'children': [1], 'translation': [0, 0, 5], 'scale': [2, 2, 2]},
        {'mesh': 0, 'rotation': [0, 0, 0.5**0.5, 0.5**0.5]},
    ],
    'meshes': [
        {
            'primitives': [
                {'attributes': {'POSITION': 0}, 'indices': 1, 'material': 0},
                {'attributes': {'POSITION': 0}, 'indices': 2},
            ]
        }
    ],
    'materials': [{'pbrMetallicRoughness': {'baseColorFactor': [1, 0.5, 0, 1]}}],
    'accessors': [
        {'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3'},
        {'bufferView': 1, 'componentType': 5123, 'count': 6, 'type': 'SCALAR'},
        {'bufferView': 2, 'componentType': 5123, 'count': 6, 'type': 'SCALAR'},
    ],
    'bufferViews': [
        {'buffer': 0, 'byteOffset': 0, 'byteLength': 48},
        {'buffer': 0, 'byteOffset': 48, 'byteLength': 12},
        {'buffer': 0, 'byteOffset': 60, 'byteLength': 12},
    ],
    'buffers': [{'byteLength': 72}],
}
"""A tetrahedron whose first two triangles are orange. Its node turns it by a right angle, doubles
its size and moves it up by 5 m."""


def chunk(kind: bytes, content: bytes, blank: bytes) -> bytes:
    content += blank * (-len(content) % 4)
    return struct.pack('<I4s', len(content), kind) + content


def file(numbers: bytes = NUMBERS, **changes) -> bytes:
    text = json.dumps({**DOCUMENT, **changes}).encode()
    chunks = chunk(b'JSON', text, b' ') + chunk(b'BIN\0', numbers, b'\0')
    return struct.pack('<4sII', b'glTF', 2, 12 + len(chunks)) + chunks


@pytest.fixture
def robot(arm):
    """Returns `robot(content)`, which makes an arm with this GLB file in its upper link."""
    pytest.importorskip('trimesh', reason='the extra `glb` installs trimesh')
    return lambda content, kind='visual': arm(
        upper=shape(kind, 'a.glb'), assets={'a.glb': content}
    )


def points(robot):
    found = [corners(robot, geom) for geom in range(1, robot.model.ngeom)]
    return {tuple(row) for row in np.concatenate(found).round(5) + 0.0}


def test_a_glb_file_has_its_nodes_and_its_colours(robot):
    seen = robot(file())
    assert seen.model.nmesh == 2
    assert sorted(seen.model.geom_rgba[1:].round(2).tolist()) == [
        [0.5, 0.5, 0.5, 1],
        [1, 0.5, 0, 1],
    ]
    assert points(seen) == {(0, 0, 5), (0, 2, 5), (-2, 0, 5), (0, 0, 7)}
    assert not any('GLB' in told for told in seen.left_out)


def test_a_glb_file_is_one_mesh_where_it_collides(robot):
    assert robot(file(), 'collision').model.nmesh == 1


def test_a_material_is_translucent_only_where_it_says_so(robot):
    paint = {'pbrMetallicRoughness': {'baseColorFactor': [0, 0, 1, 0.2]}}
    for more, alpha in (({}, 1), ({'alphaMode': 'BLEND'}, 0.2)):
        seen = robot(file(materials=[paint | more]))
        assert sorted(seen.model.geom_rgba[1:].round(2).tolist())[0] == [
            0,
            0,
            1,
            pytest.approx(alpha),
        ]


def test_a_node_that_mirrors_keeps_the_outside_outside(robot):
    nodes = [{'mesh': 0, 'scale': [-1, 1, 1]}]
    mirrored = robot(file(nodes=nodes), 'collision')
    assert points(mirrored) == {(0, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 0, 1)}
    model = mirrored.model
    triangles = model.mesh_vert[model.mesh_face]
    assert np.linalg.det(triangles).sum() / 6 == pytest.approx(1 / 6, abs=1e-6), 'the volume'


def test_textures_are_left_out(robot):
    textured = {'pbrMetallicRoughness': {'baseColorTexture': {'index': 0}}}
    seen = robot(
        file(materials=[textured], textures=[{'source': 0}], images=[{'uri': '/etc/passwd'}])
    )
    assert seen.told('textures of GLB files')
    assert seen.model.ntex == 0


@pytest.mark.parametrize('extension', ['KHR_draco_mesh_compression', 'EXT_meshopt_compression'])
def test_a_file_that_needs_an_extension_is_left_out(robot, monkeypatch, extension):
    known = glb.find_spec
    monkeypatch.setattr(glb, 'find_spec', lambda name: known(name) if name == 'trimesh' else None)
    seen = robot(file(extensionsRequired=[extension, 'KHR_materials_unlit']))
    told = seen.told('GLB meshes that need an extension of glTF')
    assert told.endswith(f'{extension}: a.glb')
    assert seen.model.nmesh == 0


def test_without_the_library_meshes_are_left_out_with_what_installs_it(arm, monkeypatch):
    monkeypatch.setattr(glb, 'find_spec', lambda name: None)
    seen = arm(upper=shape('visual', 'a.glb'), assets={'a.glb': file()})
    told = seen.told('GLB meshes')
    assert "pip install 'mujoco_ros_py[glb]'" in told
    assert told.endswith(': a.glb')


@pytest.mark.parametrize(
    ('content', 'reason'),
    [
        (b'', 'not a GLB file'),
        (b'glTF' + bytes(40), 'not a GLB file: Expecting value'),
        (file()[:60], 'not a GLB file: '),
        (file()[:-20], 'trimesh cannot read the file'),
        (file(nodes=[{'children': [7]}]), 'trimesh cannot read the file'),
        (file(nodes=[{'children': [0], 'mesh': 0}]), 'trimesh cannot read the file'),
        (file(nodes=[{}]), 'the scene has no triangles'),
        (file(buffers=[{'byteLength': 72, 'uri': '/etc/passwd'}]), 'in another file'),
        (file(buffers=[3]), 'not a GLB file: '),
        (file(extensionsRequired=3), 'not a GLB file: '),
        (
            file(NUMBERS[:48] + b'\x09\0' * 12),
            'a triangle refers to vertex 9, but there are only 4',
        ),
        (file(b'\xff' * 48 + NUMBERS[48:]), 'a vertex is not finite'),
    ],
)
def test_what_is_wrong_with_a_glb_file_is_told(robot, content, reason):
    with pytest.raises(UrdfError, match=f"'a.glb' cannot be read: .*{re.escape(reason)}"):
        robot(content)
