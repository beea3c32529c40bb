"""Files next to an included file: found like in MuJoCo, also after saving."""

from __future__ import annotations

import copy
import os
import struct
import zlib
from itertools import chain, combinations
from pathlib import Path

import mujoco
import numpy as np
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.mjcf.tools.commands import run as main

pytestmark = pytest.mark.filterwarnings('ignore:.*no equality constraints')


def obj(size: int) -> bytes:
    """A tetrahedron."""
    corners = f'v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\n'
    return f'{corners}f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'.encode()


def png(shade: int) -> bytes:
    """One grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = struct.pack('>I', zlib.crc32(kind + data))
        return struct.pack('>I', len(data)) + kind + data + crc

    head = chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 2, 0, 0, 0))
    pixels = chunk(b'IDAT', zlib.compress(bytes([0, shade, shade, shade])))
    return b'\x89PNG\r\n\x1a\n' + head + pixels + chunk(b'IEND', b'')


def heights(rows: int) -> bytes:
    return struct.pack('<ii', rows + 1, 2) + np.arange(2 * rows + 2, dtype='<f4').tobytes()


def skin(size: int) -> bytes:
    """A triangle that follows the body `b`."""
    corners = np.array([0, 0, 0, size, 0, 0, 0, size, 0], '<f4').tobytes()
    bone = b'b'.ljust(40, b'\0') + np.array([0, 0, 0, 1, 0, 0, 0], '<f4').tobytes()
    weights = struct.pack('<4i3f', 3, 0, 1, 2, 1, 1, 1)
    return struct.pack('<4i', 3, 0, 1, 1) + corners + struct.pack('<3i', 0, 1, 2) + bone + weights


def longest(points) -> float:
    """The largest distance between two points."""
    return float(np.linalg.norm(points[:, None] - points, axis=2).max())


def submodel(size: int) -> bytes:
    return f'<mujoco><worldbody><body name="s"><geom size="{size}"/></body></worldbody></mujoco>'.encode()  # noqa: E501


SIDES = ' '.join(
    f'file{side}="{{0}}"' for side in ('up', 'down', 'left', 'right', 'front', 'back')
)
KINDS = {
    'mesh': (
        '<asset><mesh name="x" file="{0}"/></asset>'
        '<worldbody><geom type="mesh" mesh="x"/></worldbody>',
        '.obj', obj, lambda model: longest(model.mesh_vert) / 2**0.5,
    ),
    'hfield': (
        '<asset><hfield name="x" file="{0}" size="1 1 1 1"/></asset>',
        '.bin', heights, lambda model: int(model.hfield_nrow[0]) - 1,
    ),
    'texture': (
        '<asset><texture name="x" type="2d" file="{0}"/></asset>',
        '.png', png, lambda model: int(model.tex_data[0]),
    ),
    'sides of a texture': (
        f'<asset><texture name="x" type="cube" {SIDES}/></asset>',
        '.png', png, lambda model: int(model.tex_data[0]),
    ),
    'skin': (
        '<deformable><skin name="x" file="{0}"/></deformable>',
        '.skn', skin, lambda model: float(model.skin_vert.max()),
    ),
    'flexcomp': (
        '<worldbody><body name="f"><flexcomp name="x" type="mesh" file="{0}" dim="2" mass="1"/>'
        '</body></worldbody>',
        '.obj', obj, lambda model: float(model.body_pos.max()),
    ),
    'model': (
        '<asset><model name="x" file="{0}"/></asset>'
        '<worldbody><attach model="x" body="s" prefix="p"/></worldbody>',
        '.xml', submodel, lambda model: float(model.geom_size.max()),
    ),
}  # fmt: skip
"""Per kind of file: the MJCF that names it, its extension, a function that makes its content, and
one that reads a value from the compiled model."""
FOLDERS = 'robot', 'robot/meshes', 'robot/frag', 'robot/frag/meshes'
"""The model is in the first folder, and the included file in the third."""
COMPILERS = (
    '', 'meshdir="meshes"', 'texturedir="meshes"', 'assetdir="meshes"',
    'meshdir="meshes" assetdir="."', 'strippath="true"',
)  # fmt: skip
MODEL = """\
<mujoco model="m">
  <compiler {compiler}/>
  <worldbody><body name="b"><geom size="0.1"/></body></worldbody>
  <include file="frag/part.xml"/>
</mujoco>
"""


@pytest.fixture
def robot(tmp_path, monkeypatch):
    """Returns `robot(kind, folders, compiler)`, which writes a model and different files."""
    (tmp_path / 'elsewhere').mkdir()
    monkeypatch.chdir(tmp_path / 'elsewhere')

    def make(kind, folders, compiler='', name='x'):
        text, extension, content, _ = KINDS[kind]
        for number, folder in enumerate(FOLDERS, 2):
            path = tmp_path / folder / f'x{extension}'
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            if folder in folders:
                path.write_bytes(content(number))
        part = text.format(f'{name}{extension}')
        (tmp_path / 'robot/frag/part.xml').write_text(f'<mujoco>{part}</mujoco>')
        path = tmp_path / 'robot/m.xml'
        path.write_text(MODEL.format(compiler=compiler))
        return path

    return make


def in_folder(text: str, folder: Path) -> mujoco.MjModel:
    before = os.getcwd()
    os.chdir(folder)
    try:
        return mujoco.MjModel.from_xml_string(text)
    finally:
        os.chdir(before)


def compiled(model: mjcf.RootElement) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())


def attached(path: Path) -> mujoco.MjModel:
    arena = mjcf.RootElement('arena')
    arena.attach(mjcf.from_path(path), extra_body=False)
    return compiled(arena)


def exported(path: Path) -> mujoco.MjModel:
    model = mjcf.from_path(path)
    mjcf.export_with_assets(model, path.parents[1] / 'out', 'm.xml', filenames='original')
    return mujoco.MjModel.from_xml_path(str(path.parents[1] / 'out/m.xml'))


def flattened(path: Path, out: Path) -> mujoco.MjModel:
    out.parent.mkdir(exist_ok=True)
    assert main(['flatten', str(path), '-o', str(out)]) == 0
    return mujoco.MjModel.from_xml_path(str(out))


WAYS = {
    'written': lambda path: compiled(mjcf.from_path(path)),
    'copied': lambda path: compiled(copy.deepcopy(mjcf.from_path(path))),
    'source': lambda path: in_folder(mjcf.from_path(path).to_source(), path.parent),
    'attached': attached,
    'exported': exported,
    'flattened': lambda path: flattened(path, path.parent / 'flat.xml'),
    'flattened elsewhere': lambda path: flattened(path, path.parents[1] / 'flat/flat.xml'),
}


def value(kind, load, path):
    """Returns the value that depends on the file, or None if the file is not found."""
    try:
        return round(KINDS[kind][-1](load(path)), 3)
    except (OSError, ValueError):
        return None


def by_mujoco(path: Path) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_path(str(path))


@pytest.mark.parametrize('way', WAYS)
@pytest.mark.parametrize('kind', KINDS)
def test_a_file_that_only_the_included_file_has_beside_it_is_found(kind, way, robot):
    path = robot(kind, ['robot/frag'], 'meshdir="meshes"')
    assert value(kind, by_mujoco, path) == 4
    assert value(kind, WAYS[way], path) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ('kind', 'compiler'),
    [
        pytest.param(
            kind, compiler,
            marks=[] if kind in ('mesh', 'texture') or compiler in COMPILERS[-3::2]
            else pytest.mark.nightly,
        )
        for kind in KINDS for compiler in COMPILERS
    ],
)  # fmt: skip
def test_of_several_files_that_is_found_which_mujoco_finds(kind, compiler, robot):
    found = set()
    for folders in chain(*(combinations(FOLDERS, count) for count in range(5))):
        for name in ('x', '../frag/x') if 'robot/frag' in folders else ('x',):
            path = robot(kind, folders, compiler, name)
            expected = value(kind, by_mujoco, path)
            found.add(expected)
            for way in ('written', 'copied', 'source'):
                assert value(kind, WAYS[way], path) == expected, (folders, name, way)
    assert len(found) > 1


def test_a_file_that_is_flattened_elsewhere_is_found_when_nothing_is_read(robot):
    path = robot('mesh', ['robot/frag'], 'meshdir="meshes"')
    model = mjcf.from_path(path)
    assert '<mesh name="x" file="../frag/x.obj"/>' in model.to_source()
    mesh = model.find('mesh', 'x')
    assert (mesh.file.written, mesh.file.path) == ('x.obj', 'frag/x.obj')


def test_a_file_beside_what_is_included_stays_beside_it_when_includes_are_kept(robot):
    path = robot('mesh', ['robot/frag'])
    model = mjcf.from_path(path)
    model.find('mesh', 'x').scale = [2, 2, 2]
    mjcf.save(model, path, keep_includes=True)
    assert 'file="x.obj" scale="2 2 2"' in (path.parent / 'frag/part.xml').read_text()
    assert value('mesh', by_mujoco, path) == 8


def test_a_missing_file_is_told_with_both_places(robot):
    path = robot('mesh', [])
    expected = r"'x.obj' is not in assets, nor next to 'frag/part.xml': No such file"
    with pytest.raises(FileNotFoundError, match=expected):
        mjcf.from_path(path).get_assets()


def test_files_in_assets_are_found_beside_what_is_included():
    part = KINDS['mesh'][0].format('x.obj')
    model = mjcf.from_xml_string(
        MODEL.format(compiler=''),
        assets={'frag/part.xml': f'<mujoco>{part}</mujoco>'.encode(), 'frag/x.obj': obj(4)},
    )
    assert KINDS['mesh'][-1](compiled(model)) == pytest.approx(4)
