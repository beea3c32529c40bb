"""Saved models and their includes."""

import mujoco
import pytest

from mujoco_ros_py.mjcf import RootElement, from_path, from_xml_string, save

MAIN = """\
<mujoco model="main">
  <include file="parts/common.xml"/>
  <worldbody>
    <site name="s"/>
    <include file="parts/robot.xml"/>
    <site name="t"/>
  </worldbody>
</mujoco>
"""
COMMON = """\
<?xml version="1.0"?>
<!-- shared -->
<mujoco model="common">
  <asset>
    <material name="red"/> <!-- red -->
  </asset>
  <include file="parts/inner.xml"/>
</mujoco>
"""
INNER = '<mujocoinclude><asset><material name="blue"/></asset></mujocoinclude>\n'
ROBOT = """\
<mujoco>
    <body name="robot">
      <geom name="ball" size="0.10" material="red"/>
    </body>
    <body name="other"/>
</mujoco>
"""
FILES = {'common': COMMON, 'inner': INNER, 'robot': ROBOT}
SPLICED = """\
<mujoco model="main">
  <!-- shared -->
  <asset>
    <material name="red"/> <!-- red -->
  </asset>
  <asset><material name="blue"/></asset>
  <worldbody>
    <site name="s"/>
    <body name="robot">
      <geom name="ball" size="0.10" material="red"/>
    </body>
    <body name="other"/>
    <site name="t"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'main.xml').write_text(MAIN)
    for name, text in FILES.items():
        (tmp_path / 'parts' / f'{name}.xml').write_text(text)
    return tmp_path


@pytest.fixture
def model(folder):
    return from_path(folder / 'main.xml')


def contents(folder):
    return {name: (folder / 'parts' / f'{name}.xml').read_text() for name in FILES}


def test_what_is_included_is_written_in_the_place_of_the_include(model):
    assert model.to_source() == SPLICED
    assert from_xml_string(SPLICED).is_same_as(model)


def test_a_saved_file_is_what_to_source_tells(model, tmp_path):
    save(model, tmp_path / 'new.xml')
    assert (tmp_path / 'new.xml').read_text() == SPLICED


def test_a_model_that_was_made_is_saved_too(tmp_path):
    made = RootElement('made')
    made.worldbody.add('geom', size=[1])
    save(made, str(tmp_path / 'made.xml'), keep_includes=True)
    assert from_path(tmp_path / 'made.xml').is_same_as(made)


def test_a_model_with_attachments_is_not_saved(model, tmp_path):
    model.attach(RootElement('hand'))
    with pytest.raises(ValueError, match='attached'):
        save(model, tmp_path / 'new.xml')
    assert not (tmp_path / 'new.xml').exists()


def test_edits_of_what_is_included_are_in_its_place(model):
    model.find('geom', 'ball').size = [0.2]
    model.find('material', 'blue').remove()
    model.find('body', 'other').remove()
    model.find('material', 'red').name = 'green'
    text = SPLICED.replace('0.10', '0.2').replace('<material name="blue"/>', '')
    text = text.replace('    <body name="other"/>\n', '').replace('"red"', '"green"')
    assert model.to_source() == text


def test_what_is_not_edited_stays_byte_for_byte_when_includes_are_kept(model, folder):
    save(model, folder / 'main.xml', keep_includes=True)
    assert (folder / 'main.xml').read_text() == MAIN
    assert contents(folder) == FILES


def test_only_the_edited_included_file_is_written(model, folder):
    before = {name: (folder / 'parts' / f'{name}.xml').stat().st_mtime_ns for name in FILES}
    model.find('geom', 'ball').size = [0.2]
    save(model, folder / 'main.xml', keep_includes=True)
    assert (folder / 'main.xml').read_text() == MAIN
    assert contents(folder) == {**FILES, 'robot': ROBOT.replace('0.10', '0.2')}
    after = {name: (folder / 'parts' / f'{name}.xml').stat().st_mtime_ns for name in FILES}
    assert [name for name in FILES if before[name] != after[name]] == ['robot']
    assert from_path(folder / 'main.xml').is_same_as(model)


def test_in_another_folder_the_included_files_are_copied(model, folder, tmp_path):
    model.find('geom', 'ball').size = [0.2]
    new = tmp_path / 'new'
    save(model, new / 'copy.xml', keep_includes=True)
    assert contents(new) == {**FILES, 'robot': ROBOT.replace('0.10', '0.2')}
    assert contents(folder) == FILES
    assert from_path(new / 'copy.xml').is_same_as(model)


def test_another_file_is_not_replaced_by_what_nobody_edited(model, tmp_path):
    other = tmp_path / 'new' / 'parts' / 'inner.xml'
    other.parent.mkdir(parents=True)
    other.write_text('mine')
    with pytest.raises(FileExistsError, match=r'inner\.xml exists and differs from'):
        save(model, tmp_path / 'new' / 'main.xml', keep_includes=True)
    assert [path.name for path in (tmp_path / 'new').rglob('*.xml')] == ['inner.xml']


def test_an_included_file_that_changed_since_is_left_alone(model, folder):
    (folder / 'parts' / 'inner.xml').write_text('changed')
    save(model, folder / 'main.xml', keep_includes=True)
    assert contents(folder) == {**FILES, 'inner': 'changed'}


def test_a_model_cannot_be_saved_as_what_it_includes(tmp_path):
    model = from_xml_string(
        '<mujoco><include file="x.xml"/></mujoco>', assets={'x.xml': INNER.encode()}
    )
    with pytest.raises(ValueError, match=r'x\.xml'):
        save(model, tmp_path / 'x.xml', keep_includes=True)


def test_includes_from_assets_become_files(tmp_path):
    assets = {f'parts/{name}.xml': text.encode() for name, text in FILES.items()}
    model = from_xml_string(MAIN, assets=assets)
    save(model, tmp_path / 'main.xml', keep_includes=True)
    assert contents(tmp_path) == FILES


def test_what_is_added_beside_an_include_is_in_the_file_that_has_the_include(model, folder):
    model.worldbody.insert('body', 3, name='new')  # after both included bodies
    model.worldbody.insert('body', 2, name='between')
    save(model, folder / 'main.xml', keep_includes=True)
    include = '    <include file="parts/robot.xml"/>\n'
    new = '    <body name="new"/>\n'
    assert (folder / 'main.xml').read_text() == MAIN.replace(include, include + new)
    text = ROBOT.replace(
        '    <body name="other', '    <body name="between"/>\n    <body name="other'
    )
    assert contents(folder) == {**FILES, 'robot': text}
    assert from_path(folder / 'main.xml').is_same_as(model)


def test_an_include_of_which_nothing_is_left_goes(model, folder):
    model.worldbody.body.clear()
    save(model, folder / 'main.xml', keep_includes=True)
    assert 'robot' not in (folder / 'main.xml').read_text()
    assert contents(folder) == FILES
    assert from_path(folder / 'main.xml').is_same_as(model)
    mujoco.MjModel.from_xml_path(str(folder / 'main.xml'))


def test_an_include_within_what_was_removed_is_gone(tmp_path):
    text = '<mujoco><worldbody><body><include file="a.xml"/></body></worldbody></mujoco>'
    assets = {'a.xml': b'<mujoco><geom name="g" size="1"/></mujoco>'}
    model = from_xml_string(text, assets=assets)
    model.find('geom', 'g').size = [2]
    model.worldbody.body[0].remove()
    save(model, tmp_path / 'main.xml', keep_includes=True)
    assert [path.name for path in tmp_path.iterdir()] == ['main.xml']
    assert model.to_source() == '<mujoco><worldbody></worldbody></mujoco>'


def test_a_section_that_is_in_several_files_is_edited_in_each(model, folder):
    model.asset.material['red'].rgba = [1, 0, 0, 1]
    model.asset.material['blue'].rgba = [0, 0, 1, 1]
    model.asset.add('material', name='last')
    save(model, folder / 'main.xml', keep_includes=True)
    assert '<material name="red" rgba="1 0 0 1"/> <!-- red -->' in contents(folder)['common']
    assert (
        '<material name="blue" rgba="0 0 1 1"/><material name="last"/>'
        in (contents(folder)['inner'])
    )
    assert from_path(folder / 'main.xml').is_same_as(model)


def test_line_ends_and_encoding_are_those_of_the_including_file(tmp_path):
    (tmp_path / 'a.xml').write_bytes(
        '\ufeff<?xml version="1.0" encoding="utf-8"?>\n<mujoco>\n <site name="é"/>\n <site/>\n'
        '</mujoco>'.encode()
    )
    main = (
        '<?xml version="1.0" encoding="us-ascii"?>\r\n<mujoco><worldbody>\r\n'
        ' <include file="a.xml"></include>\r\n</worldbody></mujoco>\r\n'
    )
    (tmp_path / 'main.xml').write_bytes(main.encode())
    model = from_path(tmp_path / 'main.xml')
    sites = '<site name="&#233;"/>\r\n <site/>'
    assert model.to_source() == main.replace('<include file="a.xml"></include>', sites)


def test_a_string_is_saved_in_the_encoding_that_it_declares(tmp_path):
    text = '<?xml version="1.0" encoding="iso-8859-1"?><mujoco model="é"/>'
    model = from_xml_string(text)
    assert model.model == 'é'
    save(model, tmp_path / 'main.xml')
    assert (tmp_path / 'main.xml').read_bytes() == text.encode('iso-8859-1')


def test_elements_in_an_include_are_refused():
    with pytest.raises(ValueError, match='<geom> is not allowed in <include>'):
        from_xml_string(
            '<mujoco><worldbody><include file="a"><geom/></include></worldbody></mujoco>',
            assets={'a': b'<mujoco><site/></mujoco>'},
        )
