"""Errors in models, by file and line."""

import os
import zipfile
from pathlib import Path

import pytest

BROKEN = """\
<mujoco>
  <worldbody>
    <body name="b" poss="1" pos="x"><geom sise="1"/></body>
    <goem><geom sise="unseen"/></goem>
    <geom name="a" size="1"/>
    <geom name="a" size="1"/>
    <include file="none.xml"/>
  </worldbody>
  <worldbdy/>
</mujoco>
"""


def test_nothing_is_printed_for_a_good_file(call):
    assert call('validate', 'good.xml') == (0, '', '')
    assert call('validate', '--verbose', 'good.xml') == (0, 'good.xml: fine\n', '')


def test_every_fault_is_told_with_file_and_line(call):
    Path('broken.xml').write_text(BROKEN)
    code, out, err = call('validate', 'broken.xml')
    assert (code, err) == (1, '')
    told = [line.partition(';')[0] for line in out.splitlines()]
    assert told == [
        "broken.xml:3: <body>: unknown attribute 'poss'",
        "broken.xml:3: <body>: pos must be at most 3 numbers, got 'x'",
        "broken.xml:3: <geom>: unknown attribute 'sise'",
        'broken.xml:4: <goem>: <worldbody>...</worldbody>: <goem> is not allowed in it',
        'broken.xml:6: <geom>: name \'a\' is already used by <geom name="a" size="1"/>',
        "broken.xml:7: <include>: 'none.xml': No such file or directory",
        'broken.xml:9: <worldbdy>: <mujoco>...</mujoco>: <worldbdy> is not allowed in it',
    ]


def test_what_is_not_well_formed_is_told_after_the_faults_before_it(call):
    Path('broken.xml').write_text('<mujoco>\n<worldbdy/>\n<worldbody>\n</mujoco>')
    code, out, _ = call('validate', 'broken.xml')
    assert code == 1
    first, second = out.splitlines()
    assert first.startswith('broken.xml:2: <worldbdy>: ')
    assert second == 'broken.xml:4: not well-formed: mismatched tag'


def test_all_files_are_gone_through(call):
    Path('broken.xml').write_text(BROKEN)
    code, out, err = call('validate', 'none.xml', 'broken.xml', 'good.xml', '.', '-v')
    assert code == 2
    assert err == 'none.xml: No such file or directory\n.: Is a directory\n'
    assert out.startswith('broken.xml:3: ')
    assert out.endswith('good.xml: fine\n')


INCLUDING = '<mujoco><worldbody>\n<include file="part.xml"/></worldbody></mujoco>'


@pytest.mark.parametrize(
    ('part', 'told'),
    [
        ('<mujoco>\n\n<geom sise="1"/></mujoco>', ":3: <geom>: unknown attribute 'sise'"),
        ('<mujoco>\n\n</mujok>', ':3: not well-formed: mismatched tag'),
        ('<mujoco>\n\n<geom name="g"/></mujoco>', ":3: size 0 must be positive in geom; "
         "Element name 'g', id 0"),
        ('<mujoco>\n\n<geom size="1" material="m"/></mujoco>',
         ":3: <geom>: material must name a material, got 'm'"),
    ],
)  # fmt: skip
def test_a_fault_in_an_included_file_is_told_with_that_file(call, part, told):
    folder = Path('robots')
    folder.mkdir()
    (folder / 'main.xml').write_text(INCLUDING)
    (folder / 'part.xml').write_text(part)
    code, out, _ = call('validate', 'robots/main.xml')
    assert code == 1
    assert out.strip().partition('; known')[0] == f'robots/part.xml{told}'


@pytest.mark.parametrize(
    ('part', 'reason'),
    [
        ('<geom name="g" size="-1"/>', "size 0 must be positive in geom; Element name 'g', id 0"),
        ('<flexcomp name="f" type="mesh"/>', 'Parent body must have name'),
    ],
)
def test_of_several_elements_on_a_line_the_one_that_is_meant_is_found(call, part, reason):
    Path('part.xml').write_text(f'<mujoco>\n{part}</mujoco>')
    Path('main.xml').write_text(
        '<mujoco><worldbody><body><include file="part.xml"/></body></worldbody></mujoco>'
    )
    code, out, _ = call('validate', 'main.xml')
    assert code == 1
    assert out.startswith(f'part.xml:2: {reason}')


def test_after_broken_includes_the_rest_is_checked(call):
    count = 60  # more than the limit for nested includes
    for number in range(count):
        Path(f'part{number}.xml').write_text('<mujoco><body>')
    parts = ''.join(f'<include file="part{number}.xml"/>' for number in range(count))
    Path('main.xml').write_text(
        f'<mujoco><worldbody>{parts}</worldbody>\n<option/>\n<option timestp="1"/></mujoco>'
    )
    _, out, _ = call('validate', 'main.xml')
    expected = [f'part{number}.xml:1' for number in range(count)]
    assert [line.partition(': ')[0] for line in out.splitlines()] == [*expected, 'main.xml:3']


def test_what_mujoco_says_has_the_line_of_the_element(call):
    Path('m.xml').write_text(
        '<mujoco>\n<worldbody>\n<geom size="1"/>\n<body><joint/></body></worldbody></mujoco>'
    )
    code, out, _ = call('validate', 'm.xml')
    assert code == 1
    assert out.startswith('m.xml:4: mass and inertia of moving bodies must be larger than')
    assert call('validate', '--no-compile', 'm.xml').code == 0


def test_references_that_name_nothing_are_all_told(call):
    Path('m.xml').write_text(
        '<mujoco><worldbody><body name="b"><joint name="j"/><geom size="1"/></body></worldbody>'
        '<actuator>\n<motor joint="k"/>\n<motor joint="j"/>\n<motor site="s"/></actuator>'
        '<contact>\n<exclude body1="b" body2="c"/></contact></mujoco>'
    )
    for options in ([], ['--no-compile']):
        code, out, _ = call('validate', 'm.xml', *options)
        assert code == 1
        assert out.splitlines() == [
            "m.xml:2: <motor>: joint must name a joint, got 'k'; known: j",
            "m.xml:4: <motor>: site must name a site, got 's'; known: none",
            "m.xml:5: <exclude>: body2 must name a body, got 'c'; known: b",
        ]


def test_names_that_mujoco_makes_are_no_faults(call):
    Path('m.xml').write_text(
        '<mujoco><worldbody><replicate count="2" euler="0 0 1">'
        '<body name="b" pos="1 0 0"><joint name="j"/><geom size="1"/></body>'
        '</replicate></worldbody><actuator><motor joint="j0"/></actuator></mujoco>'
    )
    assert call('validate', 'm.xml') == (0, '', '')
    assert call('validate', 'm.xml', '--no-compile') == (0, '', '')


def test_what_mujoco_ignores_is_a_warning(call):
    Path('m.xml').write_text('<mujoco><worldbody>\n<frame colour="1"/></worldbody></mujoco>')
    code, out, _ = call('validate', 'm.xml')
    assert (code, out) == (0, 'm.xml:2: warning: MuJoCo ignores colour of <frame>\n')


def test_what_mujoco_warns_of_is_a_warning_and_makes_no_file(call):
    Path('robots').mkdir()
    Path('robots/m.xml').write_text(
        '<mujoco><visual><map zfar="30"/></visual><asset><model name="c" file="c.xml"/></asset>'
        '<worldbody><attach model="c" body="b" prefix="c"/></worldbody></mujoco>'
    )
    Path('robots/c.xml').write_text(
        '<mujoco><visual><map zfar="20"/></visual>'
        '<worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>'
    )
    before = sorted(Path().rglob('*'))
    code, out, err = call('validate', 'robots/m.xml')
    assert (code, err) == (0, '')
    assert out.startswith('robots/m.xml: warning: Attach conflict')
    assert sorted(Path().rglob('*')) == before


def test_beside_what_is_ignored_faults_are_told_once(call):
    Path('m.xml').write_text(
        '<mujoco><worldbody><frame a="1" pos="x" quat="y"/></worldbody></mujoco>'
    )
    code, out, _ = call('validate', 'm.xml')
    assert code == 1
    assert [line.partition(', got')[0] for line in out.splitlines()] == [
        'm.xml:1: <frame>: pos must be at most 3 numbers',
        'm.xml:1: <frame>: quat must be at most 4 numbers',
        'm.xml:1: warning: MuJoCo ignores a of <frame>',
    ]


def test_a_part_of_a_model_is_only_read(call):
    Path('part.xml').write_text(
        '<mujocoinclude><actuator><motor joint="elsewhere"/></actuator></mujocoinclude>'
    )
    assert call('validate', 'part.xml') == (0, '', '')


def test_meshes_are_found_from_the_folder_of_the_file(call):
    Path('robots').mkdir()
    Path('robots/m.xml').write_text('<mujoco>\n<asset>\n<mesh file="none.stl"/></asset></mujoco>')
    code, out, _ = call('validate', 'robots/m.xml')
    assert code == 1
    assert 'none.stl' in out
    assert call('validate', 'robots/m.xml', '--no-compile').code == 0


def test_a_zip_is_checked_with_what_is_in_it(call):
    with zipfile.ZipFile('m.zip', 'w') as archive:
        archive.writestr('m/m.xml', INCLUDING)
        archive.writestr('m/part.xml', '<mujoco>\n<geom size="-1"/></mujoco>')
    code, out, _ = call('validate', 'm.zip')
    assert code == 1
    assert out.startswith('m.zip/part.xml:2: ')


@pytest.mark.parametrize(
    'content', [b'', b'\0\1\2', b'\xff\xfe', b'PK\3\4', b'<html/>', b'<mujoco>' * 10_000]
)
def test_garbage_is_a_fault_on_one_line(call, content):
    Path('garbage.xml').write_bytes(content)
    code, out, err = call('validate', 'garbage.xml')
    assert (code, err) == (1, '')
    assert out.startswith('garbage.xml:')


def test_a_zip_that_is_none_cannot_be_read(call):
    Path('m.zip').write_bytes(b'nothing')
    code, out, err = call('validate', 'm.zip')
    assert (code, out) == (2, '')
    assert err.startswith('m.zip: is not a readable zip file')
    assert err.count('\n') == 1


def test_an_empty_name_is_no_file(call):
    assert call('validate', '') == (2, '', ': No such file or directory\n')


CIRCLE = """<mujoco model="{0}"><asset><model name="other" file="{1}"/></asset><worldbody>
<body name="b"><frame><attach model="other" body="b" prefix="x"/></frame></body></worldbody>
</mujoco>"""


@pytest.mark.parametrize('option', [[], ['--no-compile']])
def test_models_that_attach_each_other_are_an_error_that_names_them(call, option):
    Path('one.xml').write_text(CIRCLE.format('one', 'two.xml'))
    Path('two.xml').write_text(CIRCLE.format('two', 'one.xml'))
    code, out, _ = call('validate', *option, 'one.xml')
    assert code == 1
    assert 'the model attaches itself, through two.xml, one.xml, two.xml' in out


def test_a_model_that_takes_all_memory_is_an_error_and_the_next_file_is_checked(call):
    Path('huge.xml').write_text('<mujoco><size nuser_body="1000000000"/></mujoco>')
    Path('bad.xml').write_text('<mujoco><worldbody><joint/></worldbody></mujoco>')
    code, out, _ = call('validate', 'huge.xml', 'bad.xml')
    assert code == 1
    assert 'huge.xml: MuJoCo cannot compile the model: ' in out
    assert '(the limit of memory is 4,096 MiB)' in out
    assert 'bad.xml:1: ' in out


@pytest.mark.parametrize('option', [[], ['--no-compile']])
def test_a_fifo_and_a_device_are_told_and_not_waited_for(call, option):
    os.mkfifo('pipe.xml')
    for name, kind in {'pipe.xml': 'FIFO', '/dev/zero': 'device'}.items():
        Path('model.xml').write_text(f'<mujoco><include file="{name}"/></mujoco>')
        code, out, _ = call('validate', *option, 'model.xml')
        assert (code, out) == (1, f"model.xml: '{name}' is a {kind}, not a file\n")


def test_an_export_of_a_model_that_attaches_itself_is_an_error(call):
    Path('one.xml').write_text(CIRCLE.format('one', 'one.xml'))
    code, _, err = call('export', 'one.xml', '-o', 'out.zip')
    assert code != 0
    assert 'the model attaches itself, through one.xml, one.xml' in err


@pytest.mark.parametrize('option', [[], ['--no-compile']])
def test_a_file_that_is_included_under_two_spellings_is_told(call, option):
    Path('part.xml').write_text('<mujoco><site/></mujoco>')
    Path('model.xml').write_text(
        '<mujoco>\n<worldbody>\n<include file="part.xml"/>\n<include file="./part.xml"/>\n'
        f'</worldbody>\n<asset><include file="{os.getcwd()}/part.xml"/></asset>\n</mujoco>'
    )
    code, out, _ = call('validate', *option, 'model.xml')
    assert code == 1
    assert out.splitlines() == [
        "model.xml:4: <include>: './part.xml' is already included, as 'part.xml'",
        f"model.xml:6: <include>: '{os.getcwd()}/part.xml' is already included, as 'part.xml'",
    ]


def test_files_beside_an_included_file_are_found(call):
    Path('frag').mkdir()
    Path('frag/tetrahedron.obj').write_bytes(
        b'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
    )
    Path('frag/part.xml').write_text(
        '<mujoco><asset>\n<mesh file="tetrahedron.obj"/>\n<mesh name="n" file="none.obj"/>\n'
        '</asset></mujoco>'
    )
    Path('model.xml').write_text(
        '<mujoco><compiler meshdir="meshes"/><include file="frag/part.xml"/></mujoco>'
    )
    code, out, _ = call('validate', 'model.xml')
    assert (code, out.count('\n')) == (1, 1)
    assert out.startswith("frag/part.xml:3: Error opening file 'meshes/none.obj'")
    text = Path('frag/part.xml').read_text().replace('<mesh name="n" file="none.obj"/>', '')
    Path('frag/part.xml').write_text(text)
    assert call('validate', 'model.xml') == (0, '', '')
