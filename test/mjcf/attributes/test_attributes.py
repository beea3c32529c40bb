"""The values that attributes accept, return and write."""

import numpy as np
import pytest

from mujoco_ros_py import mjcf


@pytest.fixture
def model():
    return mjcf.RootElement(model='m')


@pytest.fixture
def geom(model):
    return model.worldbody.add('geom', name='g')


def test_what_is_not_there_is_none(geom):
    assert geom.pos is None
    assert geom.type is None
    assert geom.mass is None


def test_attributes_are_set_changed_and_removed(geom):
    geom.pos = [1, 2, 3]
    np.testing.assert_array_equal(geom.pos, [1, 2, 3])
    assert geom.pos.dtype == float
    geom.quat = [0, 1, 0, 0]
    np.testing.assert_array_equal(geom.quat, [0, 1, 0, 0])
    del geom.quat
    assert geom.quat is None
    geom.pos = None
    assert str(geom) == '<geom name="g"/>'


@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('pos', 'invalid'),
        ('pos', [1, 2, 3, 4, 5, 6]),
        ('pos', '1 2 3 4'),
        ('pos', [[1, 2, 3]]),
        ('pos', [1, None, 3]),
        ('pos', ['a', 'b', 'c']),
        ('pos', {'x': 1}),
        ('pos', [0, float('nan'), 0]),
        ('pos', '0 nan 0'),
        ('pos', '0 NAN 0'),
        ('pos', '0 1_0 0'),
        ('pos', '0 \u0661 0'),
        ('mass', float('nan')),
        ('mass', 'nan'),
        ('mass', 'heavy'),
        ('mass', '\u0661'),
        ('mass', [1]),
        ('mass', 1j),
        ('condim', 3.5),
        ('condim', '3.5'),
        ('condim', 2**31),
        ('condim', '99999999999'),
        ('condim', float('inf')),
        ('fluidshape', 'none of them'),
        ('type', 'cube'),
        ('type', True),
        ('type', 3),
        ('name', 3),
        ('name', b'g'),
        ('name', 'a\x00b'),
        ('material', 'a\ud800b'),
    ],
)
def test_a_value_of_a_wrong_kind_is_refused_and_nothing_changes(geom, name, value):
    setattr(geom, 'mass' if name == 'pos' else 'pos', 1)
    before = str(geom)
    with pytest.raises(ValueError, match=f'{name} must be'):
        setattr(geom, name, value)
    assert str(geom) == before


def test_an_error_names_the_element_the_rule_and_the_value(geom):
    with pytest.raises(ValueError, match='<geom name="g"/>: pos must be at most 3 numbers, got'):
        geom.pos = [1, 2, 3, 4]


@pytest.mark.parametrize(
    ('name', 'value', 'text'),
    [
        ('pos', '1 2 3', '1 2 3'),
        ('pos', (1, 2, 3), '1 2 3'),
        ('pos', np.float32([0.5, 1, 2]), '0.5 1 2'),
        ('size', 0.1, '0.1'),
        ('rgba', [0.1, 0.2, 1 / 3, 1e-30], '0.1 0.2 0.3333333333333333 1e-30'),
        ('pos', [-0.0, float('inf'), 1e22], '-0 inf 1e+22'),
        ('mass', 2, '2'),
        ('mass', '1e-3', '0.001'),
        ('mass', np.float64(0.1), '0.1'),
        ('condim', 3.0, '3'),
        ('condim', '3.0', '3'),
        ('condim', np.int64(4), '4'),
        ('user', [1] * 40, ' '.join(['1'] * 40)),
        ('user', [], ''),
        ('type', 'BOX', 'box'),
    ],
)
def test_numbers_and_words_are_written_in_their_shortest_form(geom, name, value, text):
    setattr(geom, name, value)
    assert geom.get_attribute_xml_string(name) == text


def test_whole_numbers_in_arrays_stay_whole(model):
    model.compiler.inertiagrouprange = [0, 3.0]
    assert model.compiler.inertiagrouprange.dtype.kind == 'i'
    assert model.compiler.get_attribute_xml_string('inertiagrouprange') == '0 3'
    for wrong in ([0, 0.5], '0 0.5', [0, 2**40]):
        with pytest.raises(ValueError, match='at most 2 whole numbers'):
            model.compiler.inertiagrouprange = wrong


@pytest.mark.parametrize(('value', 'word'), [(True, 'true'), ('False', 'false'), ('AUTO', 'auto')])
def test_words_of_truth_are_bools_too(model, value, word):
    joint = model.worldbody.add('body').add('joint', limited=value)
    assert joint.limited == word


def test_several_words_are_given_in_one_string_or_not(model):
    camera = model.worldbody.add('camera', output='rgb DEPTH')
    assert camera.output == 'rgb depth'
    camera.output = ['normal', 'rgb']
    assert camera.output == 'normal rgb'
    for wrong in ('rgb colour', ['colour'], 3):
        with pytest.raises(ValueError, match='some of rgb, depth'):
            camera.output = wrong


@pytest.mark.parametrize(
    ('form', 'text'),
    [
        ({}, '0.123456789 1e-10 200000'),
        ({'precision': 3}, '0.123 1e-10 2e+05'),
        ({'zero_threshold': 1e-6}, '0.123456789 0 200000'),
        ({'precision': 4, 'zero_threshold': 0.5}, '0 0 2e+05'),
    ],
)
def test_precision_and_threshold_hold_for_numbers_set_and_read(geom, form, text):
    geom.pos = [0.123456789, 1e-10, 200000]
    assert geom.get_attribute_xml_string('pos', **form) == text
    read = mjcf.from_xml_string(
        '<mujoco><worldbody><geom pos="0.123456789 1e-10 200000"/></worldbody></mujoco>'
    )
    assert f'pos="{text}"' in read.to_xml_string(**form)


def test_precision_leaves_whole_numbers_alone(model):
    model.size.nconmax = 1234567
    assert 'nconmax="1234567"' in model.to_xml_string(precision=3, zero_threshold=1e9)


def test_the_words_of_a_line_of_text_are_numbers_of_an_array(model, geom):
    geom.pos = ['1', '2.5', '3e-1']
    assert geom.pos.tolist() == [1, 2.5, 0.3]
    texture = model.asset.add('texture', gridsize=['2', '3'])
    assert texture.gridsize.tolist() == [2, 3]
    with pytest.raises(ValueError, match=r"at most 3 numbers, got \['1', '2', '3', '4'\]"):
        geom.pos = ['1', '2', '3', '4']


def test_an_array_edited_in_place_is_written_so(geom):
    geom.pos = given = np.array([1.0, 2.0, 3.0])
    given[0] = 9
    geom.pos[1] = 7
    assert geom.get_attribute_xml_string('pos') == '1 7 3'


def test_an_array_that_was_read_can_be_edited_in_place():
    model = mjcf.from_xml_string('<mujoco><worldbody><geom pos="1 2 3"/></worldbody></mujoco>')
    model.worldbody.geom[0].pos[2] = 5
    assert 'pos="1 2 5"' in model.to_xml_string()


def test_nan_put_into_an_array_is_refused_when_it_is_written(model, geom):
    geom.pos = [1, 2, 3]
    geom.pos[0] = np.nan
    assert str(geom) == '<geom name="g" pos="nan 2 3"/>'
    with pytest.raises(
        ValueError, match=r'<geom name="g" .* must be at most 3 numbers, not nan, got .nan'
    ):
        model.to_xml_string()


def test_class_is_called_dclass_and_class_with_getattr():
    model = mjcf.from_xml_string(
        '<mujoco><default><default class="red"/></default>'
        '<worldbody><geom name="g" class="red"/></worldbody></mujoco>'
    )
    geom = model.find('geom', 'g')
    assert geom.dclass is model.default.default['red']
    assert getattr(geom, 'class') is geom.dclass
    assert geom.get_attributes() == {'name': 'g', 'dclass': geom.dclass}
    assert 'dclass' in dir(geom)
    assert 'class' not in dir(geom)


def test_text_is_escaped_in_xml_and_comes_back(model):
    text = 'a "<quoted>"\n & \ttabbed'
    model.custom.add('text', name='t', data=text)
    read = mjcf.from_xml_string(model.to_xml_string())
    assert read.find('text', 't').data == text


def test_what_is_empty_in_xml_is_not_there():
    model = mjcf.from_xml_string(
        '<mujoco><worldbody><geom name="" pos="" class=""/><geom name=""/></worldbody></mujoco>'
    )
    geom = model.worldbody.geom[0]
    assert (geom.name, geom.pos, geom.dclass, geom.get_attributes()) == (None, None, None, {})


@pytest.mark.parametrize(
    'character', '\0\x08\x0b\x0c\x0e\x1f\ud800\udfff\ufffe\uffff', ids=lambda each: hex(ord(each))
)
def test_a_character_that_xml_cannot_have_is_refused(geom, character):
    with pytest.raises(ValueError, match='free of control characters'):
        geom.name = f'a{character}b'


def test_every_other_character_may_be_in_a_name(geom):
    geom.name = '\t\n\r \x7f\ud7ff\ue000\ufffd\U00010000\U0010ffff'
    assert geom.name == '\t\n\r \x7f\ud7ff\ue000\ufffd\U00010000\U0010ffff'
