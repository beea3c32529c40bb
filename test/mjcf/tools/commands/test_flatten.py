"""Merging of includes into one file."""

from pathlib import Path

import pytest

from mujoco_ros_py import mjcf

MAIN = """\
<mujoco>
  <!-- kept -->
  {compiler}<asset>
    <mesh file="a.stl"/>
    <texture type="2d" file="b.png"/>
    <model name="sub" file="sub.xml"/>
  </asset>
  <worldbody>
    <include file="part.xml"/>
  </worldbody>
</mujoco>
"""
PART = '<mujoco>\n<geom size="1"/>\n</mujoco>'


@pytest.fixture
def robot(folder):
    """`robot(compiler)`: robots/main.xml and its files."""

    def make(compiler='', meshes='', textures=''):
        for name, content in {
            'main.xml': MAIN.format(compiler=compiler),
            'part.xml': PART,
            'sub.xml': '<mujoco/>',
            f'{meshes}/a.stl': 'mesh',
            f'{textures}/b.png': 'texture',
        }.items():
            path = Path(f'robots/{name}')
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)

    return make


def contents(path):
    model = mjcf.from_path(path)
    return [
        each.file.contents
        for tag in ('mesh', 'texture', 'model')
        for each in model.asset.get_children(tag)
    ]


def test_includes_are_replaced_and_the_rest_stays(call, robot):
    robot()
    code, out, err = call('flatten', 'robots/main.xml')
    assert (code, err) == (0, '')
    assert out == MAIN.format(compiler='').replace(
        '<include file="part.xml"/>', '<geom size="1"/>'
    )


@pytest.mark.parametrize('out', ['whole.xml', 'robots/whole.xml', 'elsewhere/deep/whole.xml'])
@pytest.mark.parametrize(
    ('compiler', 'meshes', 'textures'),
    [
        ('', '', ''),
        ('<compiler meshdir="m"/>', 'm', ''),
        ('<compiler meshdir="m/" texturedir="../t"/>', 'm', '../t'),
        ('<compiler assetdir="x" texturedir="t"/>', 'x', 't'),
        ('<compiler assetdir="x"/>', 'x', 'x'),
    ],
)
def test_names_of_files_mean_the_same_where_it_is_written(
    call, robot, out, compiler, meshes, textures
):
    robot(compiler, meshes, textures)
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    assert call('flatten', 'robots/main.xml', '-o', out) == (0, '', '')
    assert '<include' not in Path(out).read_text()
    assert '<!-- kept -->' in Path(out).read_text()
    assert contents(out) == contents('robots/main.xml') == [b'mesh', b'texture', b'<mujoco/>']


def test_folders_in_names_that_are_ignored_stay_ignored(call, robot):
    robot('<compiler strippath="true"/>')
    text = Path('robots/main.xml').read_text().replace('a.stl', 'C:\\made\\here\\a.stl')
    Path('robots/main.xml').write_text(text)
    assert call('flatten', 'robots/main.xml', '-o', 'whole.xml').code == 0
    assert contents('whole.xml') == [b'mesh', b'texture', b'<mujoco/>']


@pytest.mark.parametrize('path', ['/somewhere/sub.xml', 'package://robot/sub.xml'])
def test_absolute_names_stay(call, robot, path):
    robot()
    text = Path('robots/main.xml').read_text().replace('"sub.xml"', f'"{path}"')
    Path('robots/main.xml').write_text(text)
    assert call('flatten', 'robots/main.xml', '-o', 'whole.xml').code == 0
    assert f'file="{path}"' in Path('whole.xml').read_text()


def test_the_encoding_stays(call):
    content = '<?xml version="1.0" encoding="latin-1"?>\n<mujoco model="ä"/>'.encode('latin-1')
    Path('a.xml').write_bytes(content)
    assert call('flatten', 'a.xml', '-o', 'b.xml').code == 0
    assert Path('b.xml').read_bytes() == content


@pytest.mark.parametrize('file', ['none.xml', '.', 'broken.xml'])
def test_what_cannot_be_read_leaves_the_output_as_it_was(call, file):
    Path('broken.xml').write_text('<mujoco>')
    Path('out.xml').write_text('before')
    code, out, err = call('flatten', file, '-o', 'out.xml')
    assert (code, out) == (2, '')
    assert err.startswith(file)
    assert Path('out.xml').read_text() == 'before'


def test_a_zip_is_refused(call):
    code, out, err = call('flatten', 'm.zip', '-o', 'out.xml')
    assert (code, out) == (2, '')
    assert err == 'm.zip: flatten would lose the other files of a zip; use `export` instead\n'


def test_an_output_that_cannot_be_written_is_told(call):
    assert call('flatten', 'good.xml', '-o', 'none/out.xml') == (
        2, '', 'none/out.xml: No such file or directory\n',
    )  # fmt: skip


def test_what_is_for_editors_at_the_beginning_of_an_included_file_goes(call):
    Path('part.xml').write_text(
        '<?xml version="1.0"?>\n<?xml-model href="mjcf.xsd"?>\n<!-- part -->\n'
        '<mujocoinclude>\n  <option gravity="0 0 1"/>\n</mujocoinclude>\n'
    )
    Path('main.xml').write_text(
        '<?xml-model href="mjcf.xsd"?>\n<mujoco>\n  <include file="part.xml"/>\n</mujoco>\n'
    )
    assert call('validate', 'main.xml', 'part.xml') == (0, '', '')
    assert call('flatten', 'main.xml', '-o', 'whole.xml') == (0, '', '')
    assert Path('whole.xml').read_text() == (
        '<?xml-model href="mjcf.xsd"?>\n<mujoco>\n  <!-- part -->\n'
        '  <option gravity="0 0 1"/>\n</mujoco>\n'
    )
    assert call('validate', 'whole.xml') == (0, '', '')


def test_a_dash_is_the_standard_output(call):
    whole = Path('good.xml').read_text()
    assert call('flatten', 'good.xml', '-o', '-') == (0, whole, '')
    assert not Path('-').exists()
