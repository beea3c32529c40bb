"""The written form of models."""

import pytest

from mujoco_ros_py import mjcf

MODEL = """\
<mujoco model="m">
  <option timestep="0.002"/>
  <worldbody>
    <body name="b" pos="0 0 1">
      <geom size="0.1"/>
    </body>
    <geom name="floor" type="plane" size="1 1 1"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def model():
    return mjcf.from_xml_string(MODEL)


def test_own_output_is_read_and_written_the_same(model):
    assert model.to_xml_string() == MODEL
    model.worldbody.body[0].add('site', name='s', pos=[0.1, 1 / 3, 1e-9])
    again = mjcf.from_xml_string(model.to_xml_string())
    assert again.to_xml_string() == model.to_xml_string()
    assert again.is_same_as(model)


def test_without_pretty_printing_all_is_in_one_line(model):
    compact = ''.join(line.strip() for line in MODEL.splitlines())
    assert model.to_xml_string(pretty_print=False) == compact


def test_an_element_is_written_alone_with_dots_for_what_is_in_it(model):
    body = model.find('body', 'b')
    assert body.to_xml_string(self_only=True) == '<body name="b" pos="0 0 1">...</body>'
    assert str(body) == '<body name="b" pos="0 0 1">...</body>'
    assert repr(body.geom[0]) == 'MJCF Element: <geom size="0.1"/>'
    assert body.to_xml_string() == ('<body name="b" pos="0 0 1">\n  <geom size="0.1"/>\n</body>\n')


def test_empty_sections_are_left_out_unless_they_are_asked_for(model):
    assert model.visual.headlight.ambient is None
    assert model.to_xml_string() == MODEL
    assert model.visual.to_xml_string() == '<visual/>\n'
    assert mjcf.RootElement().to_xml_string() == '<mujoco/>\n'


def test_xml_is_an_element_of_lxml_too(model):
    found = model.to_xml()
    assert (found.tag, found.get('model')) == ('mujoco', 'm')
    assert [child.tag for child in found] == ['option', 'worldbody']
    assert found.find('.//geom').get('size') == '0.1'
    assert model.find('body', 'b').to_xml(precision=2).get('pos') == '0 0 1'
    assert mjcf.RootElement().to_xml().tag == 'mujoco'


@pytest.mark.parametrize('text', ['0.1', '.10', '1e-1', '+0.1', ' 0.1 '])
def test_numbers_that_were_read_are_written_as_they_were(text):
    model = mjcf.from_xml_string(f'<mujoco><worldbody><geom size="{text}"/></worldbody></mujoco>')
    assert f'size="{text}"' in model.to_xml_string()
    assert model.worldbody.geom[0].size[0] == 0.1


@pytest.mark.parametrize('number', [0.1, 1 / 3, 1e300, 5e-324, -2.5, 123456789.123])
def test_every_number_comes_back(number):
    model = mjcf.RootElement()
    model.worldbody.add('geom', name='g', size=[number], mass=number)
    geom = mjcf.from_xml_string(model.to_xml_string()).find('geom', 'g')
    assert geom.size[0] == number
    assert geom.mass == number


def test_a_texture_that_has_neither_name_nor_file_is_written_without_a_name():
    texture = '<texture type="skybox" builtin="flat" width="8" height="8"/>'
    model = mjcf.from_xml_string(f'<mujoco><asset>{texture}</asset></mujoco>')
    assert texture in model.to_xml_string()


def test_an_empty_name_beside_a_file_is_written_once():
    text = '<mujoco><asset><texture name="" type="2d" file="a.png"/></asset></mujoco>'
    model = mjcf.from_xml_string(text, assets={'a.png': b'image'})
    assert model.to_xml().find('asset/texture').get('name') == 'a'


def test_an_attribute_is_written_alone(model):
    body = model.find('body', 'b')
    assert body.get_attribute_xml_string('pos') == '0 0 1'
    assert body.get_attribute_xml_string('quat') is None


def test_a_model_that_is_deeper_than_mujoco_takes_it_is_refused_when_written():
    model = mjcf.RootElement()
    body = model.worldbody
    for _ in range(2000):
        body = body.add('body')
    with pytest.raises(ValueError, match='nested more than 499 deep, which MuJoCo rejects'):
        model.to_xml_string()
    assert len(model.find_all('body')) == 2000
