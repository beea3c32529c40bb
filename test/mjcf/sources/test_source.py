"""The original text of a model is preserved, except for edits."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.mjcf import RootElement, from_path, from_xml_string

ARM = """\
<?xml version="1.0"?>
<!-- an arm -->
<mujoco model='arm'>
  <worldbody>
    <!-- the base -->
    <body name="base"   pos="0 0 .5">
      <geom name="box" type="box"
            size=".1 .1 .1"/>  <!-- of wood -->
      <geom name="ball" size="0.20"/>
      <!-- empty --><site name='tip' />
    </body>
  </worldbody>
  <sensor>
    <touch site="tip"/>
  </sensor>
</mujoco>
<!-- the end -->
"""


def arm():
    return from_xml_string(ARM)


def edited(old, new, text=ARM):
    assert text.count(old) == 1
    return text.replace(old, new)


def written(model):
    """Returns the written text; checks that it reads as the same model."""
    text = model.to_source()
    assert from_xml_string(text, assets=model.assets).is_same_as(model)
    return text


def test_an_untouched_text_comes_back_as_it_was():
    assert written(arm()) == ARM


@pytest.mark.parametrize(
    'path', sorted(Path(mujoco.__file__).parent.rglob('*.xml')), ids=lambda path: path.name
)
def test_an_untouched_file_comes_back_byte_for_byte(path):
    assert from_path(path).to_source().encode() == path.read_bytes()


def test_reading_values_and_following_references_edits_nothing():
    model = arm()
    for element in model.walk():
        element.get_attributes()
    model.resolve_references()
    assert written(model) == ARM


def test_a_model_that_was_made_has_the_canonical_layout():
    model = RootElement('new')
    model.worldbody.add('geom', size=[0.5])
    assert model.to_source() == model.to_xml_string()


def test_a_model_with_attachments_has_no_one_source():
    model = arm()
    model.attach(RootElement('hand'))
    with pytest.raises(ValueError, match=r'to_xml_string or export_with_assets'):
        model.to_source()


# Attributes


def test_of_an_attribute_that_changed_only_the_value_is_written_anew():
    model = arm()
    model.find('body', 'base').pos = [0, 0, 1]
    assert written(model) == edited('pos="0 0 .5"', 'pos="0 0 1"')


def test_an_array_that_is_edited_in_place_is_written():
    model = arm()
    model.find('geom', 'box').size[0] = 0.3
    assert written(model) == edited('size=".1 .1 .1"', 'size="0.3 0.1 0.1"')


def test_an_array_with_a_nan_is_refused_with_its_element():
    model = arm()
    model.find('geom', 'box').size[0] = np.nan
    with pytest.raises(ValueError, match=r'<geom name="box".*size must be'):
        model.to_source()


def test_a_value_that_is_set_back_is_no_edit():
    model = arm()
    ball = model.find('geom', 'ball')
    ball.size = [0.3]
    ball.size = [0.2]
    ball.rgba = [1, 0, 0, 1]
    del ball.rgba
    ball.name = 'other'
    ball.name = 'ball'
    assert written(model) == ARM


def test_a_new_attribute_comes_behind_the_last_one():
    model = arm()
    model.find('geom', 'box').set_attributes(mass=2, rgba=[1, 0, 0, 1])
    assert written(model) == edited('".1 .1 .1"/>', '".1 .1 .1" mass="2" rgba="1 0 0 1"/>')


def test_a_new_attribute_of_a_tag_without_any_comes_behind_its_name():
    model = from_xml_string('<mujoco><option/></mujoco>')
    model.option.timestep = 0.25
    assert written(model) == '<mujoco><option timestep="0.25"/></mujoco>'


def test_a_deleted_attribute_goes_with_the_blanks_before_it():
    model = arm()
    del model.find('body', 'base').pos
    del model.find('geom', 'box').size
    text = edited('"base"   pos="0 0 .5"', '"base"')
    assert written(model) == edited('\n            size=".1 .1 .1"', '', text)


def test_the_last_attribute_can_be_deleted_while_another_is_added():
    model = arm()
    ball = model.find('geom', 'ball')
    del ball.size
    ball.mass = 1
    assert written(model) == edited('size="0.20"', 'mass="1"')


def test_quotes_stay_and_what_is_special_between_them_is_escaped():
    model = arm()
    model.model = 'it\'s <a> & "b"\n'
    text = "model='it&apos;s &lt;a&gt; &amp; &quot;b&quot;&#10;'"
    assert written(model) == edited("model='arm'", text)


def test_entities_are_read_before_values_are_compared():
    text = '<mujoco model="a&lt;&#x20;&quot;&#10;b\r\n\tc&apos;&amp;amp; > d"/>'
    model = from_xml_string(text)
    model.model = f'{model.model}!'
    model.model = model.model[:-1]
    assert model.to_source() == text


def test_what_looks_like_mjcf_in_comments_and_values_is_none():
    text = (
        '<mujoco model="a/>b"><!-- <geom name="no"/> </mujoco> --><?x <geom/> ?><![CDATA[<geom>]]>'
        '<worldbody><geom name="x>y" size="1"/></worldbody></mujoco>'
    )
    model = from_xml_string(text)
    model.find('geom', 'x>y').size = [2]
    model.worldbody.add('site', name='new')
    new = text.replace('size="1"/>', 'size="2"/><site name="new"/>')
    assert written(model) == new


def test_a_rename_changes_the_references_too():
    model = arm()
    model.find('site', 'tip').name = 'end'
    text = edited("name='tip'", "name='end'")
    assert written(model) == edited('site="tip"', 'site="end"', text)


def test_a_reference_to_what_was_removed_goes():
    text = (
        '<mujoco><asset><material name="m"/></asset>'
        '<worldbody><geom size="1" material="m"/></worldbody></mujoco>'
    )
    for look in (True, False):
        model = from_xml_string(text)
        model.asset.material['m'].remove()
        assert not look or model.worldbody.geom[0].material is None
        assert written(model) == text.replace('<material name="m"/>', '').replace(
            ' material="m"', ''
        )


def test_what_mujoco_ignores_stays_where_it_was():
    text = '<mujoco><worldbody><frame name="f" odd="1" pos="1 2 3"/></worldbody></mujoco>'
    with pytest.warns(UserWarning, match='ignores odd'):
        model = from_xml_string(text)
    del model.worldbody.frame[0].pos
    assert model.to_source() == text.replace(' pos="1 2 3"', '')


def test_separators_that_are_escaped_are_edits():
    text = (
        '<mujoco><worldbody><site name="a/b"/><site name="c"/></worldbody>'
        '<sensor><touch site="a/b"/></sensor></mujoco>'
    )
    model = from_xml_string(text, escape_separators=True)
    assert written(model) == text.replace('/b', '\\b')


def test_a_value_that_only_pymjcf_reads_stays_until_it_is_edited():
    text = '<mujoco><option integrator="rk4" iterations="1e2"/></mujoco>'
    model = from_xml_string(text)
    model.option.timestep = 0.5
    assert model.option.iterations == 100
    assert written(model) == text.replace('/>', ' timestep="0.5"/>')
    model.option.iterations = 200
    assert 'iterations="200"' in written(model)


def test_names_in_one_attribute_follow_renames_and_keep_their_blanks_if_there_are_none():
    text = (
        '<mujoco><worldbody><body name="a"/><body name="b"/></worldbody><deformable>'
        '<flex name="f" dim="1" body="a  b" vertex="0 0 0 1 0 0" element="0 1"/>'
        '</deformable></mujoco>'
    )
    model = from_xml_string(text)
    model.find('deformable', 'f').radius = 0.5
    assert 'body="a  b"' in written(model)
    model.find('body', 'a').name = 'c'
    assert 'body="c b"' in written(model)


def test_the_path_of_a_file_stays_as_it_was_written():
    text = '<mujoco><asset><mesh file="a/b.obj"/></asset></mujoco>'
    model = from_xml_string(text, assets={'a/b.obj': b'v 0 0 0'})
    mesh = model.asset.mesh[0]
    assert mesh.file.contents == b'v 0 0 0'
    mesh.scale = [1, 2, 3]
    assert model.to_source() == text.replace('b.obj"', 'b.obj" scale="1 2 3"')


# Removals


def test_a_removed_element_goes_with_its_line_and_the_comment_before_it_stays():
    model = arm()
    model.find('geom', 'ball').remove()
    assert written(model) == edited('      <geom name="ball" size="0.20"/>\n', '')
    model.find('body', 'base').remove()
    model.sensor.remove()
    text = ARM[: ARM.index('    <body')] + ARM[ARM.index('  </worldbody') :]
    assert written(model) == edited('    <touch site="tip"/>\n', '', text)


def test_a_removed_element_that_shares_its_line_goes_alone():
    model = arm()
    model.sensor.touch[0].remove()
    model.find('site', 'tip').remove()
    model.find('geom', 'box').remove()
    text = edited('    <touch site="tip"/>\n', '')
    text = edited("<!-- empty --><site name='tip' />", '<!-- empty -->', text)
    box = text[text.index('<geom name="box"') : text.index('<!-- of')]
    assert written(model) == edited(box, '', text)


def test_neighbours_on_one_line_can_all_be_removed():
    text = '<mujoco>\n <worldbody>\n  <site/> <site/> <site/>\n </worldbody>\n</mujoco>\n'
    model = from_xml_string(text)
    model.worldbody.site[1].remove()
    assert written(model) == text.replace(' <site/> <site/> <site/>', ' <site/> <site/>')
    model.worldbody.site.clear()
    assert '<site' not in written(model)


def test_what_is_removed_within_what_is_removed_is_gone_once():
    model = arm()
    base = model.find('body', 'base')
    model.find('geom', 'box').size[0] = 3
    base.geom.clear()
    base.add('geom', size=[1])
    model.sensor.touch[0].remove()
    base.remove()
    text = ARM[: ARM.index('    <body')] + ARM[ARM.index('  </worldbody') :]
    assert written(model) == edited('    <touch site="tip"/>\n', '', text)


# Additions


def test_a_new_element_has_a_line_of_its_own_after_the_one_before_it():
    model = arm()
    base = model.find('body', 'base')
    base.add('body', name='a').add('geom', size=[1])
    base.insert('geom', 1, name='second', size=[1])
    new = '\n      <body name="a">\n        <geom size="1"/>\n      </body>'
    text = edited("<site name='tip' />", f"<site name='tip' />{new}")
    second = '<!-- of wood -->\n      <geom name="second" size="1"/>'
    assert written(model) == edited('<!-- of wood -->', second, text)


def test_a_first_element_comes_behind_the_start_tag():
    model = arm()
    model.worldbody.insert('light', 0, name='sun')
    assert written(model) == edited('<worldbody>', '<worldbody>\n    <light name="sun"/>')


def test_several_new_elements_keep_their_order():
    model = arm()
    for name in 'abc':
        model.worldbody.add('site', name=name)
    model.worldbody.insert('site', 1, name='first')
    sites = ''.join(f'\n    <site name="{name}"/>' for name in ['first', 'a', 'b', 'c'])
    assert written(model) == edited('    </body>', f'    </body>{sites}')


def test_a_tag_that_was_empty_opens_for_its_first_child():
    text = (
        '<mujoco>\n\t<worldbody>\n\t\t<body name="b" />\n\t</worldbody>\n\t<asset/>\n</mujoco>\n'
    )
    model = from_xml_string(text)
    model.find('body', 'b').add('geom', size=[1]).mass = 2
    model.find('body', 'b').pos = [1, 2, 3]
    body = '<body name="b" pos="1 2 3">\n\t\t\t<geom size="1" mass="2"/>\n\t\t</body>'
    assert written(model) == edited('<body name="b" />', body, text)


@pytest.mark.parametrize('inside', ['<body/>', '<body></body>', '<body>  </body>'])
def test_an_empty_element_gets_lines_if_it_has_one_and_none_if_not(inside):
    model = from_xml_string(f'<mujoco>\n <worldbody>\n  {inside}\n </worldbody>\n</mujoco>')
    model.worldbody.body[0].add('site')
    body = '  <body>\n   <site/>\n  </body>\n'
    assert written(model) == f'<mujoco>\n <worldbody>\n{body} </worldbody>\n</mujoco>'
    model = from_xml_string(f'<mujoco><worldbody>{inside}</worldbody></mujoco>')
    model.worldbody.body[0].add('site')
    assert written(model).replace('  ', '') == (
        '<mujoco><worldbody><body><site/></body></worldbody></mujoco>'
    )


def test_a_new_section_comes_behind_the_last_one_and_an_empty_one_is_not_written():
    model = arm()
    assert model.asset is not None
    assert written(model) == ARM
    model.asset.add('material', name='red')
    new = '\n  <asset>\n    <material name="red"/>\n  </asset>'
    assert written(model) == edited('</sensor>', f'</sensor>{new}')


def test_text_on_one_line_stays_on_one_line():
    model = from_xml_string('<mujoco><worldbody><site/><site/></worldbody></mujoco>')
    model.worldbody.insert('body', 1).add('geom', size=[1])
    model.worldbody.insert('site', 0, name='first')
    assert written(model) == (
        '<mujoco><worldbody><site name="first"/><site/><body><geom size="1"/></body><site/>'
        '</worldbody></mujoco>'
    )


def test_what_is_inserted_beside_what_is_removed_stays():
    model = arm()
    base = model.find('body', 'base')
    base.insert('site', 1, name='new')
    model.find('geom', 'ball').remove()
    model.find('geom', 'box').remove()
    assert '\n      <site name="new"/>\n' in written(model)


# Line ends and encodings


def test_line_ends_of_windows_stay_and_new_lines_have_them():
    text = ARM.replace('\n', '\r\n')
    model = from_xml_string(text)
    assert model.to_source() == text
    model.find('geom', 'ball').remove()
    model.worldbody.add('body', name='b').add('site')
    new = '    <body name="b">\n      <site/>\n    </body>\n  </worldbody>'
    changed = edited('      <geom name="ball" size="0.20"/>\n', '').replace('  </worldbody>', new)
    assert written(model) == changed.replace('\n', '\r\n')


@pytest.mark.parametrize(
    ('encoding', 'codec', 'mark', 'accent'),
    [
        ('us-ascii', 'ascii', '', 'e'),
        ('iso-8859-1', 'iso-8859-1', '', 'é'),
        ('windows-1252', 'windows-1252', '', 'é'),
        ('utf-8', 'utf-8', '', 'é'),
        ('utf-8', 'utf-8', '\ufeff', 'é'),
        ('utf-16', 'utf-16-le', '', 'é'),
        ('utf-16', 'utf-16-le', '\ufeff', '😀'),
        ('utf-16', 'utf-16-be', '\ufeff', 'é'),
    ],
)
def test_edits_are_in_the_encoding_of_the_file(encoding, codec, mark, accent, tmp_path):
    declaration = f'<?xml version="1.0" encoding="{encoding}"?>'
    text = ARM.replace('<?xml version="1.0"?>', mark + declaration).replace('wood', accent)
    path = tmp_path / 'model.xml'
    path.write_bytes(text.encode(codec))
    model = from_path(path)
    assert model.to_source().encode(codec) == path.read_bytes()
    model.find('geom', 'ball').name = 'ü'
    model.worldbody.add('site', name='ö')
    again = from_xml_string(model.to_source().encode(codec))
    assert again.is_same_as(model)
    assert again.find('site', 'ö') is not None
    assert from_xml_string(model.to_source()).is_same_as(model)
    assert f'<!-- of {accent} -->\n' in model.to_source()


@pytest.mark.parametrize('encoding', ['us-ascii', 'iso-8859-1', 'utf-8'])
def test_the_mark_of_utf_8_may_stand_before_another_encoding(encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n<mujoco><option timestep="1"/></mujoco>'
    model = from_xml_string(b'\xef\xbb\xbf' + text.encode())
    assert model.to_source() == '\ufeff' + text
    model.option.timestep = 2
    assert model.to_source() == '\ufeff' + text.replace('"1"/', '"2"/')


# Sections that occur again

TWICE = """\
<mujoco>
  <asset>
    <material name="a"/>
    <material name="b"/>
  </asset>
  <option timestep="0.1" gravity="0 0 -1"/>
  <worldbody/>
  <asset>
    <material name="c"/>
  </asset>
  <option timestep="0.2" wind="1 0 0"/>
</mujoco>
"""


def test_of_a_section_that_occurs_again_the_last_value_counts_and_is_edited():
    model = from_xml_string(TWICE)
    assert written(model) == TWICE
    model.option.timestep = 0.3
    model.option.gravity = [0, 0, -2]
    text = edited('timestep="0.2"', 'timestep="0.3"', TWICE)
    assert written(model) == edited('gravity="0 0 -1"', 'gravity="0 0 -2"', text)
    del model.option.timestep
    model.option.density = 3
    text = '  <option gravity="0 0 -2" density="3"/>\n'
    assert text in written(model)
    assert '  <option wind="1 0 0"/>\n' in written(model)


def test_children_of_a_section_that_occurs_again_are_edited_where_they_are():
    model = from_xml_string(TWICE)
    model.asset.insert('material', 0, name='first')
    model.asset.insert('material', 3, name='third')
    model.asset.add('material', name='last')
    model.asset.material['a'].remove()
    model.asset.material['c'].name = 'd'
    model.custom.add('text', name='x', data='y')
    assert [each.name for each in model.asset.material] == ['first', 'b', 'third', 'd', 'last']
    text = written(model)
    assert [each.name for each in from_xml_string(text).asset.material] == [
        'first', 'b', 'third', 'd', 'last',
    ]  # fmt: skip
    first, again = text.split('<worldbody/>')
    assert '<material name="third"/>' in first
    assert '<material name="last"/>' in again


def test_a_section_that_occurs_again_can_be_emptied():
    model = from_xml_string(TWICE)
    model.asset.remove()
    model.option.remove()
    text = written(model)
    assert 'material' not in text
    assert text.count('<option/>') == 2
    model.asset.add('texture', name='t', builtin='flat', width=1, height=1)
    assert written(model).count('<texture') == 1


def test_what_follows_a_section_that_occurs_again_keeps_its_place():
    again = '<default><geom/><default class="a"/><geom/><default class="b"/></default>'
    text = f'<mujoco>{again}</mujoco>'
    model = from_xml_string(text)
    model.default.insert('default', 1, dclass='new')
    assert written(model) == text.replace('<geom/>', '<geom/><default class="new"/>', 1)
    for last in ('<asset><texture name="t"/></asset>', '<asset></asset>', '<asset/>'):
        text = f'<mujoco><asset><material/></asset>{last}</mujoco>'
        model = from_xml_string(text)
        model.custom.add('text', name='x', data='y')
        custom = '<custom><text name="x" data="y"/></custom>'
        assert written(model) == text.replace('</mujoco>', f'{custom}</mujoco>')


def test_of_a_section_in_several_files_the_value_that_counts_is_edited():
    text = (
        '<mujoco><option timestep="1" gravity="0 0 1"/><include file="a.xml"/>'
        '<option timestep="3"/></mujoco>'
    )
    assets = {'a.xml': b'<mujoco><option timestep="2" gravity="0 0 2"/></mujoco>'}
    model = from_xml_string(text, assets=assets)
    model.option.timestep = 4
    model.option.gravity = [0, 0, 5]
    assert written(model) == (
        '<mujoco><option timestep="1" gravity="0 0 1"/><option timestep="2" gravity="0 0 5"/>'
        '<option timestep="4"/></mujoco>'
    )


def test_what_begins_on_the_line_of_its_parent_is_followed_on_that_line():
    text = '<mujoco>\n <worldbody><site/>\n </worldbody>\n</mujoco>'
    model = from_xml_string(text)
    model.worldbody.add('light')
    assert written(model) == text.replace('<site/>', '<site/><light/>')


@pytest.mark.parametrize('new', [False, True], ids=['that was read', 'that is new'])
def test_an_element_without_a_name_gets_one_when_another_comes_to_name_it(new):
    model = from_xml_string(
        '<mujoco>\n  <worldbody>\n    <body>\n      <joint/>\n      <geom size="1"/>\n'
        '    </body>\n  </worldbody>\n</mujoco>\n'
    )
    (body,) = model.worldbody.body
    joint = body.add('joint', axis=[1, 0, 0]) if new else body.joint[0]
    model.actuator.add('motor', joint=joint)
    compiled = mujoco.MjModel.from_xml_string(model.to_source())
    assert compiled.actuator(0).trnid[0] == int(new)
    assert joint.name is None


def test_an_actuator_of_defaults_that_says_nothing_any_more_leaves_no_tag():
    model = from_xml_string(
        '<mujoco>\n  <default>\n    <motor ctrlrange="-1 1"/>\n    <geom size="1"/>\n'
        '  </default>\n</mujoco>'
    )
    del model.default.motor.ctrlrange
    expected = '<mujoco>\n  <default>\n    <geom size="1"/>\n  </default>\n</mujoco>'
    assert model.to_source() == expected  # a remaining <motor/> would make MuJoCo set a gain
    assert from_xml_string(expected).is_same_as(model)
