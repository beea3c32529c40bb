"""Includes, which are replaced by the included content."""

import mujoco
import pytest

from mujoco_ros_py import mjcf
from mujoco_ros_py.errors import MjcfError


def read(content, **assets):
    files = {f'{name}.xml': text.encode() for name, text in assets.items()}
    return mjcf.from_xml_string(f'<mujoco>{content}</mujoco>', assets=files)


def geoms(model):
    return [geom.name for geom in model.find_all('geom')]


@pytest.mark.parametrize('root', ['mujoco', 'mujocoinclude'])
def test_what_is_included_is_where_the_include_was(root):
    model = read(
        '<worldbody><geom name="a"/><include file="inner.xml"/><geom name="d"/></worldbody>',
        inner=f'<{root}><geom name="b"/><geom name="c"/></{root}>',
    )
    assert geoms(model) == ['a', 'b', 'c', 'd']
    assert model.find('geom', 'b').parent is model.worldbody
    assert 'include' not in model.to_xml_string()


def test_sections_that_are_included_are_merged():
    model = read(
        '<include file="inner.xml"/><worldbody><geom name="b"/></worldbody>',
        inner='<mujoco><worldbody><geom name="a"/></worldbody><option timestep="1"/></mujoco>',
    )
    assert geoms(model) == ['a', 'b']
    assert model.option.timestep == 1


def test_includes_include():
    model = read(
        '<worldbody><include file="one.xml"/></worldbody>',
        one='<mujoco><geom name="a"/><include file="two.xml"/><geom name="c"/></mujoco>',
        two='<mujoco><geom name="b"/></mujoco>',
    )
    assert geoms(model) == ['a', 'b', 'c']


def test_files_are_relative_to_the_folder_of_the_model_even_in_includes(tmp_path):
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'm.xml').write_text('<mujoco><include file="parts/one.xml"/></mujoco>')
    (tmp_path / 'parts' / 'one.xml').write_text('<mujoco><include file="two.xml"/></mujoco>')
    two = '<mujoco><worldbody><geom name="g"/></worldbody></mujoco>'
    (tmp_path / 'two.xml').write_text(two)
    assert geoms(mjcf.from_path(tmp_path / 'm.xml')) == ['g']
    text = (tmp_path / 'm.xml').read_text()
    assert geoms(mjcf.from_xml_string(text, model_dir=str(tmp_path))) == ['g']
    assets = {'two.xml': two.replace('"g"', '"from assets"').encode()}
    found = mjcf.from_path(tmp_path / 'm.xml', assets=assets)
    assert geoms(found) == ['from assets']


@pytest.mark.parametrize(
    ('content', 'inner'),
    [
        ('<include file="inner.xml"/><include file="inner.xml"/>', '<mujoco/>'),
        ('<include file="inner.xml"/>', '<mujoco><include file="inner.xml"/></mujoco>'),
    ],
)
def test_a_file_is_included_once(content, inner):
    with pytest.raises(MjcfError, match=r"element <include>: 'inner.xml' is already included"):
        read(content, inner=inner)


SPELLINGS = [
    ('a.xml', './a.xml', True), ('./a.xml', './a.xml', True), ('a.xml', 'sub/../a.xml', True),
    ('sub/b.xml', 'sub\\b.xml', True), ('sub/b.xml', 'sub//b.xml', True),
    ('a.xml', '{folder}/a.xml', True), ('a.xml', 'sub/up.xml', True),
    ('sub/up.xml', 'a.xml', True), ('sub/near.xml', 'a.xml', True),
    ('sub/near.xml', 'sub/a.xml', False), ('sub/a.xml', 'a.xml', False),
    ('a.xml', 'link.xml', False), ('sub/only.xml', 'sub/c.xml', True),
]  # fmt: skip
"""Two `file` values of <include>, and whether both lead to the same file."""


@pytest.mark.parametrize(('first', 'second', 'same'), SPELLINGS)
def test_a_file_is_included_once_however_its_name_is_spelled(first, second, same, tmp_path):
    (tmp_path / 'sub').mkdir()
    for name, content in {
        'a.xml': '<site/>', 'sub/a.xml': '<site/>', 'sub/b.xml': '<site/>', 'sub/c.xml': '<site/>',
        'sub/up.xml': '<include file="../a.xml"/>', 'sub/near.xml': '<include file="a.xml"/>',
        'sub/only.xml': '<include file="c.xml"/>',
    }.items():  # fmt: skip
        (tmp_path / name).write_text(f'<mujoco>{content}</mujoco>')
    (tmp_path / 'link.xml').symlink_to('a.xml')
    includes = ''.join(f'<include file="{name}"/>' for name in (first, second))
    path = tmp_path / 'm.xml'
    path.write_text(
        f'<mujoco><worldbody>{includes}</worldbody></mujoco>'.replace('{folder}', str(tmp_path))
    )
    if not same:
        assert mujoco.MjModel.from_xml_path(str(path)).nsite == 2
        assert len(mjcf.from_path(path).find_all('site')) == 2
        return
    if not mujoco.__version__.startswith('3.'):  # MuJoCo 3 misses some repeated includes
        with pytest.raises(ValueError, match='already included'):
            mujoco.MjModel.from_xml_path(str(path))
    with pytest.raises(MjcfError, match='is already included'):
        mjcf.from_path(path)


def test_the_error_of_a_second_include_tells_the_first_spelling():
    with pytest.raises(MjcfError, match=r"'\./inner\.xml' is already included, as 'inner\.xml'"):
        read('<include file="inner.xml"/><include file="./inner.xml"/>', inner='<mujoco/>')


def test_files_that_include_each_other_too_deep_are_refused():
    files = {
        f'f{number}': f'<mujoco><include file="f{number + 1}.xml"/></mujoco>'
        for number in range(2000)
    }
    with pytest.raises(MjcfError, match='nested more than 50 deep'):
        read('<include file="f0.xml"/>', **files)


@pytest.mark.parametrize(
    ('inner', 'reason'),
    [
        ('<mujoco>\n<geom pos="x"/></mujoco>', '<geom>: pos must be'),
        ('<mujoco>\n<gem/></mujoco>', '<gem>: .*<gem> is not allowed in it'),
        ('<mujoco>\n<geom></mujoco>', 'mismatched tag'),
        ('<mujoco>\n<include file="none.xml"/></mujoco>', "<include>: 'none.xml': No such file"),
    ],
)
def test_an_error_in_an_included_file_names_it_and_its_line(inner, reason):
    with pytest.raises(MjcfError, match=f'^inner.xml: Line 2: .*{reason}'):
        read('<worldbody>\n\n<include file="inner.xml"/></worldbody>', inner=inner)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(MjcfError, match='Line 1: error while parsing element <include>'):
        read(f'<include file="{tmp_path}"/>')
